// A service-like program in pieces. Each piece does one kind of work, compares the results with
// what the CPU computes, and gives back everything that it took.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tests/conformance/cuda.h"

using Numbers = std::vector<float>;

// Ends the process with 1 and a line if `status` is not 0, the success of every CUDA library.
void require(long status, const char* call, const char* file, int line);
#define OK(call) require(static_cast<long>(call), #call, __FILE__, __LINE__)

// Ends the process with 1 and a line if a value differs from the expected one by more than
// `tolerance`.
void compare(const char* what, const Numbers& expected, const Numbers& got, float tolerance = 0);

// `count` small integers that depend on `seed`, so that sums and products are exact.
Numbers numbers(std::size_t count, unsigned seed);

// Device memory for the lifetime of this object.
class Memory {
 public:
  explicit Memory(std::size_t count) : count_(count) {
    OK(cudaMalloc(&memory_, count * sizeof(float)));
  }
  explicit Memory(const Numbers& values) : Memory(values.size()) {
    OK(cudaMemcpy(memory_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { OK(cudaFree(memory_)); }

  float* get() const { return static_cast<float*>(memory_); }
  std::size_t bytes() const { return count_ * sizeof(float); }
  Numbers values() const {
    Numbers out(count_);
    OK(cudaMemcpy(out.data(), memory_, bytes(), cudaMemcpyDeviceToHost));
    return out;
  }

 private:
  std::size_t count_;
  void* memory_ = nullptr;
};

// A stream for the lifetime of this object.
class Stream {
 public:
  Stream() { OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { OK(cudaStreamDestroy(stream_)); }
  operator cudaStream_t() const { return stream_; }
  void wait() const { OK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

// Kernels of device_code.cu, registered as nvcc does it.
void scale(float* values, float factor, int count, cudaStream_t stream);
void add(float* sums, const float* values, int count, cudaStream_t stream);
const void* scale_function();

// One round of a kind of work. `seed` chooses the numbers.
void use_memory(unsigned seed);
void use_virtual_memory(unsigned seed);
void use_contexts(unsigned seed);
void use_streams(unsigned seed);
void use_kernels(unsigned seed);
void use_graphs(unsigned seed);
void use_cublas(unsigned seed);
void use_cublasLt(unsigned seed);
void use_cufft(unsigned seed);
void use_curand(unsigned seed);
void use_nccl(unsigned seed);
void use_nvrtc(unsigned seed);
void use_nvml(unsigned seed);
void use_children(unsigned seed);

// Threads that begin, work and end.
void use_threads(unsigned seed);

// What a child that was started by exec does: a device of its own.
void work_as_child();

// Loses one `what` (memory, descriptor, thread, mapping, child, device) on purpose. False if it
// knows no such thing.
bool leak(const char* what);
