// The buffers of text that programs pass among JIT options. MUSA's images are machine code, so
// there is little to say; but a buffer holds a text that ends, and the option with its size says
// how long that is.
#pragma once

#include <stddef.h>
#include <string.h>

#include "facts.h"
#include "stubs/kernels/nvidia_image.h"

namespace torchada::driver {

class JitLogs {
 public:
  // False if the options are none, or one is not CUDA's.
  bool read(unsigned count, const int* options, void** values) {
    if (count != 0 && (!options || !values)) return false;
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] < 0 || options[i] >= cuda::CU_JIT_NUM_OPTIONS) return false;
    }
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == cuda::CU_JIT_INFO_LOG_BUFFER) info_.text = static_cast<char*>(values[i]);
      if (options[i] == cuda::CU_JIT_ERROR_LOG_BUFFER) error_.text = static_cast<char*>(values[i]);
      if (options[i] == cuda::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) info_.measure(&values[i]);
      if (options[i] == cuda::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) error_.measure(&values[i]);
    }
    info_.clear();
    error_.clear();
    return true;
  }
  void say_error(const char* text) {
    error_.append(text);
    error_.append("\n");
  }
  void say_refused(const kernels::ImageFinding& found) {
    error_.append(found.text);
    say_error(found.kind == kernels::ImageFinding::kNvidia
                  ? ": NVIDIA's device code does not run on MUSA"
                  : ": the image is damaged");
  }
  // Writes how long the texts are, whoever wrote them, as programs expect it at the end.
  void settle() {
    info_.settle();
    error_.settle();
  }

 private:
  struct Log {
    char* text = nullptr;
    void** size = nullptr;  // The value of the option, an unsigned int.
    size_t capacity = 0;

    void measure(void** value) {
      size = value;
      unsigned bytes = 0;
      memcpy(&bytes, value, sizeof bytes);
      capacity = bytes;
    }
    void clear() {
      if (text && capacity != 0) *text = '\0';
    }
    void append(const char* more) {
      if (!text || capacity == 0) return;
      const size_t have = strnlen(text, capacity - 1);
      const size_t room = capacity - 1 - have;
      const size_t length = strnlen(more, room);
      memcpy(text + have, more, length);
      text[have + length] = '\0';
    }
    void settle() const {
      if (!size) return;
      *size = reinterpret_cast<void*>(text && capacity != 0 ? strnlen(text, capacity) : 0);
    }
  };
  Log info_, error_;
};

// What `load` returns, which is called with the logs of the options. Options that are none are left
// for MUSA to refuse.
template <typename Load>
int with_jit_logs(unsigned count, const int* options, void** values, Load load) {
  JitLogs logs;
  const bool are_read = logs.read(count, options, values);
  const int status = load(&logs);
  if (are_read) logs.settle();
  return status;
}

}  // namespace torchada::driver
