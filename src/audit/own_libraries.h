// Decides which of our files replaces a requested name. The folder itself is the list: what is in
// it is ours, and everything else is left alone.
#pragma once

#include "src/shared/library_name.h"
#include "src/shared/text.h"

namespace torchada {

class OwnLibraries {
 public:
  // Reads TORCHADA_AUDIT_LIB, or takes ../lib beside the module's path in LD_AUDIT, and reads
  // TORCHADA_AUDIT_ABI, the major for unversioned names. False if the folder does not exist.
  bool find_folder();

  // The file with the SONAME of `name`. A name without a version gets that of `path` if this is a
  // link to a versioned file, otherwise `bound`, otherwise the default. Null if we have no such
  // file. Valid until the next call.
  const char* file_for(const LibraryName& name, const char* path, const LibraryName& bound);

  // Whether we have the library, but only libraries of another major are offered (torchada run
  // --abi).
  bool is_not_offered(const LibraryName& name);

  const char* folder() const { return folder_.c_str(); }

  // Whether the path is in our folder, or in the folder of a single major below it.
  bool contains(const char* path) const;

 private:
  bool try_file(const LibraryName& name, const LibraryName& version, const char* tail);
  bool try_version(const LibraryName& name, const LibraryName& version);
  bool try_unversioned(const LibraryName& name);
  bool follow_link(const char* subfolder, const LibraryName& name);

  Path folder_;
  Path file_;
  const char* abi_ = nullptr;
};

}  // namespace torchada
