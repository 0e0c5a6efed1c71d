// What clang calls the device code that has internal linkage, of which NVIDIA's compilers write the
// names in another way.
#pragma once

#include "src/shared/nvcc_name.h"
#include "stubs/system/mapped_memory.h"

namespace torchada::kernels {

// Calls use(text, length) with each name that clang may have for nvcc's `name`, until it returns
// true, and returns whether it did. Behind the text are `more` bytes that `use` may write to.
template <typename Use>
bool any_clang_name(const char* name, size_t more, Use use) {
  const size_t room = room_for_clang_name(name);
  const MappedMemory text(room + more);
  for (unsigned variant = 0; text.data() && variant < kNameVariants; ++variant) {
    const size_t length = clang_name(name, variant, text.data(), room);
    if (length != 0 && use(text.data(), length)) return true;
  }
  return false;
}

}  // namespace torchada::kernels
