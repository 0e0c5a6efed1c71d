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

  // Whether we have the library, but it is left out: TORCHADA_AUDIT_LEFT_OUT names the folders of
  // all libraries if torchada run restricts what it offers.
  bool is_left_out(const LibraryName& name);
  // Of a library that is left out: whether another major of it is offered (torchada run --abi).
  bool has_another_major(const LibraryName& name);

  // Appends the path of the first folder.
  void write_first(Text<2048>* out) const {
    out->append(first_of(folders_).path, first_of(folders_).length);
  }

  // Whether the path is in one of our folders, or in the folder of a single major below it.
  bool contains(const char* path) const;

 private:
  using List = Text<16384>;  // Folders, separated by colons.
  // One of them, a part of the list.
  struct Folder {
    const char* path;
    size_t length;
  };
  static Folder first_of(const List& list) { return {list.c_str(), strcspn(list.c_str(), ":")}; }
  // The folder after that one; its length is 0 after the last.
  static Folder after(const Folder& folder);

  bool try_file(const Folder& folder, const LibraryName& name, const LibraryName& version,
                const char* tail);
  bool try_version(const Folder& folder, const LibraryName& name, const LibraryName& version);
  bool try_every_folder(const List& list, const LibraryName& name, const LibraryName& version);
  bool try_unversioned(const List& list, const LibraryName& name);
  bool follow_link(const Folder& folder, const char* subfolder, const LibraryName& name);

  List folders_;
  List left_out_;
  Path file_;
  const char* abi_ = nullptr;
};

}  // namespace torchada
