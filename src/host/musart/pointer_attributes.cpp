// musaPointerGetAttributes. Compiled for each tree: SDK 5.2 has more words behind the pointers.
#include <cstddef>
#include <cstring>

#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

musaError_t musaPointerGetAttributes(struct musaPointerAttributes* attributes, const void* ptr) {
  constexpr std::size_t kKnown = offsetof(musaPointerAttributes, hostPointer) + sizeof(void*);
  const musaError_t status = musa::pointer_get_attributes(attributes, ptr);
  if (status == musaSuccess) {
    std::memset(reinterpret_cast<char*>(attributes) + kKnown, 0, sizeof(*attributes) - kKnown);
  }
  return musart::recorded(status);
}
