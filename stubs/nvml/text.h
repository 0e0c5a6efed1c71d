// Texts of MTML in a program's buffers.
#pragma once

#include <string.h>

#include "stubs/nvml/session.h"

namespace torchada::nvml {

// Longer than any text of MTML's.
struct Buffer {
  static constexpr unsigned kSize = 128;
  char text[kSize] = {};

  // MTML ends its texts; this holds even if it does not.
  const char* c_str() {
    text[kSize - 1] = '\0';
    return text;
  }
};

// Copies `text` to `out`, which has `length` bytes. Returns the status to return.
inline int copy_text(const char* text, char* out, unsigned length) {
  const size_t size = strlen(text) + 1;
  if (size > length) return fail_with(cuda::NVML_ERROR_INSUFFICIENT_SIZE);
  memcpy(out, text, size);
  return kSuccess;
}

// Copies what `call(device, text, size)` writes.
template <typename Call>
int tell_text(const Function& function, const void* handle, char* out, unsigned length, Call call) {
  return with_device(handle, [&](void* device) {
    if (!out) return fail(kInvalid);
    Buffer buffer;
    if (const int status = call(device, buffer.text, Buffer::kSize)) {
      return outcome(function, status);
    }
    return copy_text(buffer.c_str(), out, length);
  });
}

}  // namespace torchada::nvml
