// Decides which of our files replaces a requested name. The folders themselves are the list: what
// is in them is ours, and everything else is left alone.
#pragma once

#include <string.h>

#include "src/shared/library_name.h"
#include "src/shared/text.h"

namespace torchada {

class OwnLibraries {
 public:
  // Reads TORCHADA_AUDIT_LIB, folders separated by colons, or takes ../lib beside the module's path
  // in LD_AUDIT, and reads TORCHADA_AUDIT_ABI, the major for unversioned names. False if the first
  // folder does not exist.
  bool find_folders();

  // The file with the SONAME of `name`. A name without a version gets that of `path` if this is a
  // link to a versioned file, otherwise `bound`, otherwise the default. Null if we have no such
  // file. Valid until the next call.
  const char* file_for(const LibraryName& name, const char* path, const LibraryName& bound);

  // Whether we have the library, but only libraries of another major are offered (torchada run
  // --abi).
  bool is_not_offered(const LibraryName& name);

  // Appends the path of the first folder.
  void write_first(Text<2048>* out) const { out->append(first().path, first().length); }

  // Whether the path is in one of our folders, or in the folder of a single major below it.
  bool contains(const char* path) const;

 private:
  // One of the folders, a part of folders_.
  struct Folder {
    const char* path;
    size_t length;
  };
  Folder first() const { return {folders_.c_str(), strcspn(folders_.c_str(), ":")}; }
  // The folder after that one; its length is 0 after the last.
  static Folder after(const Folder& folder);

  bool try_file(const Folder& folder, const LibraryName& name, const LibraryName& version,
                const char* tail);
  bool try_version(const Folder& folder, const LibraryName& name, const LibraryName& version);
  bool try_every_folder(const LibraryName& name, const LibraryName& version);
  bool try_unversioned(const LibraryName& name);
  bool follow_link(const Folder& folder, const char* subfolder, const LibraryName& name);

  Text<16384> folders_;
  Path file_;
  const char* abi_ = nullptr;
};

}  // namespace torchada
