#include "src/companion/prototypes.h"

#include <algorithm>
#include <cstring>

namespace torchada {

const FunctionPrototype* find_prototype(const char* soname, const char* function) {
  const LibraryPrototypes* end = prototype_libraries + prototype_library_count;
  const LibraryPrototypes* library =
      std::find_if(prototype_libraries, end, [&](const LibraryPrototypes& each) {
        return std::strcmp(text_at(each.soname), soname) == 0;
      });
  if (library == end) return nullptr;
  const FunctionPrototype* first = prototype_functions + library->first;
  const FunctionPrototype* last = first + library->count;
  const FunctionPrototype* found =
      std::lower_bound(first, last, function, [](const FunctionPrototype& each, const char* name) {
        return std::strcmp(text_at(each.name), name) < 0;
      });
  return found != last && std::strcmp(text_at(found->name), function) == 0 ? found : nullptr;
}

const char* enumerator_name(const ValueType& type, std::int64_t value) {
  const Enumerator* first = prototype_enumerators + type.first;
  const Enumerator* last = first + type.count;
  const Enumerator* found = std::lower_bound(
      first, last, value,
      [](const Enumerator& each, std::int64_t number) { return each.value < number; });
  return found != last && found->value == value ? text_at(found->name) : nullptr;
}

}  // namespace torchada
