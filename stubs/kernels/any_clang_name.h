// any_clang_name for code without the C++ library.
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
  return text.data() && any_clang_name(name, text.data(), room,
                                       [&](size_t length) { return use(text.data(), length); });
}

}  // namespace torchada::kernels
