#include "src/shared/other_libraries.h"

#include <string.h>

#include "src/shared/library_name.h"

namespace torchada {
namespace {

constexpr OtherLibrary kLibraries[] = {
#include "generated/other_libraries.inc"
};
static_assert(sizeof kLibraries / sizeof kLibraries[0] <= kMostOtherLibraries);

// Whether `next`, which follows the stem in a file name, makes it the name of a part of the
// library: libcudnn_graph, libnvinfer_plugin, libnppial.
bool is_part(const OtherLibrary& item, char next) {
  return next != '\0' && strchr(item.parts, next) != nullptr;
}

}  // namespace

const OtherLibrary* find_other(const char* file_name) {
  const OtherLibrary* library = find_missing(file_name);
  return library && !library->option ? library : nullptr;
}

const OtherLibrary* find_missing(const char* file_name) {
  LibraryName name;
  if (!parse_library_name(base_name(file_name), &name)) return nullptr;
  const OtherLibrary* part_of = nullptr;
  for (const OtherLibrary& item : kLibraries) {
    if (name.stem_is(item.stem)) return &item;
    const size_t length = strlen(item.stem);
    if (name.stem_length <= length || strncmp(name.stem, item.stem, length) != 0) continue;
    if (is_part(item, name.stem[length])) part_of = &item;
  }
  return part_of;
}

int index_of(const OtherLibrary* library) { return static_cast<int>(library - kLibraries); }

const OtherLibrary* other_library(int index) {
  return index < static_cast<int>(sizeof kLibraries / sizeof kLibraries[0]) ? &kLibraries[index]
                                                                            : nullptr;
}

}  // namespace torchada
