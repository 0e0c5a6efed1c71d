// What the loader has already mapped, read from its own list. Only for hooks: the loader calls them
// with its lock held, so the list does not change.
#pragma once

#include <link.h>

#include "src/audit/own_libraries.h"
#include "src/shared/library_name.h"

namespace torchada {

// Whether a file of exactly this name is mapped in the namespace of `from`.
bool is_mapped(const link_map* from, const char* path);

// The majors of libcudart that the program has loaded in one namespace. A file that `preloads` (the
// value of LD_PRELOAD, or null) names and that `own` contains was chosen by torchada, not by the
// program, and counts only if another object is linked with it.
class BoundMajors {
 public:
  BoundMajors(const link_map* from, const OwnLibraries& own, const char* preloads);

  bool has(const LibraryName& name) const;  // Whether one of the same major is mapped.
  bool any() const { return count_ > 0; }
  // The only one; its version is null if there are none or several.
  LibraryName sole() const { return count_ == 1 ? names_[0] : LibraryName(); }
  const char* first_file() const { return names_[0].stem; }

 private:
  LibraryName names_[8];
  int count_ = 0;
};

// Whether `object` was linked with `name`. The loader does not say why it searches for a name: for
// a dlopen from code of `object`, or for one of its DT_NEEDED entries.
bool needs(const link_map* object, const char* name);

// Whether `wanted` accepts one of the names that `object` was linked with.
bool needs_any(const link_map* object, bool (*wanted)(const char* name));

}  // namespace torchada
