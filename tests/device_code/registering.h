// The functions that nvcc's constructors call, and modules for these tests.
#ifndef TORCHADA_TESTS_DEVICE_CODE_REGISTERING_H_
#define TORCHADA_TESTS_DEVICE_CODE_REGISTERING_H_

#include <cstddef>

#include "tests/conformance/cuda.h"

extern "C" void __cudaUnregisterFatBinary(void** handle);

constexpr cudaError_t kNoImage = cudaErrorNoKernelImageForDevice;

// A module, registered for the lifetime of this object. Names must live longer.
class Module {
 public:
  Module() : handle_(__cudaRegisterFatBinary(&image_)) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module() { __cudaUnregisterFatBinary(handle_); }
  void kernel(const void* host, const char* name) const {
    __cudaRegisterFunction(handle_, static_cast<const char*>(host), nullptr, name, -1, nullptr,
                           nullptr, nullptr, nullptr, nullptr);
  }
  void variable(void* host, const char* name, std::size_t size) const {
    __cudaRegisterVar(handle_, static_cast<char*>(host), nullptr, name, 0, size, 0, 0);
  }
  void** handle() const { return handle_; }

 private:
  int image_ = 0;
  void** handle_;
};

// The size of the variable at `host`, or 0 if it is unknown.
inline std::size_t size_of(const void* host) {
  std::size_t size = 0;
  if (cudaGetSymbolSize(&size, host) == cudaSuccess) return size;
  static_cast<void>(cudaGetLastError());
  return 0;
}

inline cudaError_t launch(const void* kernel) {
  return cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr);
}

#endif  // TORCHADA_TESTS_DEVICE_CODE_REGISTERING_H_
