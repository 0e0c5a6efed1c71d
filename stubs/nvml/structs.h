// Members of structs, and structs whose first word says which version a program was compiled with.
#pragma once

#include "stubs/nvml/session.h"

namespace torchada::nvml {

// The word of version `number` of a struct of `size` bytes, as NVML_STRUCT_VERSION makes it.
constexpr unsigned version_word(unsigned size, unsigned number) { return size | number << 24; }

// 0 if the program's struct is of that version; otherwise the status to return, and nothing of the
// struct may be written.
inline int check_version(const void* data, unsigned size, unsigned number) {
  if (!data) return fail(kInvalid);
  unsigned word = 0;
  __builtin_memcpy(&word, data, sizeof word);
  if (word == version_word(size, number)) return kSuccess;
  return fail_with(cuda::NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
}

// Writes and reads one member of a struct.
template <typename Number>
void put(void* data, unsigned offset, Number value) {
  __builtin_memcpy(static_cast<char*>(data) + offset, &value, sizeof value);
}

template <typename Number>
Number get(const void* data, unsigned offset) {
  Number value;
  __builtin_memcpy(&value, static_cast<const char*>(data) + offset, sizeof value);
  return value;
}

}  // namespace torchada::nvml
