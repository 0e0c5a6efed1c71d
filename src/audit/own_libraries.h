// Which of our files stands for a name that somebody asks for. The folder itself is the list: what
// lies there is ours, whatever is not there is left alone.
#pragma once

#include "library_name.h"
#include "text.h"

namespace torchada {

class OwnLibraries {
 public:
  // Reads TORCHADA_AUDIT_LIB, or takes ../lib beside the module as LD_AUDIT names it, and
  // TORCHADA_AUDIT_ABI, the major of unversioned names. False where there is no such folder.
  bool find_folder();

  // The file with the SONAME of `name`; a name without a version gets that of `path`, where it is a
  // link to a versioned file, else `bound`, else the default. Null where we have no such file.
  // Valid until the next call.
  const char* file_for(const LibraryName& name, const char* path, const LibraryName& bound);

  // Whether the path lies in our folder, or in one of a single major below it.
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
