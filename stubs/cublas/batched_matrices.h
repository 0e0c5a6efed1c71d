// Matrices in device memory of which a function computes copies on the host.
#pragma once

#include <stddef.h>

#include "facts.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"
#include "stubs/system/mapped_memory.h"

namespace torchada::batched {

constexpr int kNotSupported = static_cast<int>(cuda::CUBLAS_STATUS_NOT_SUPPORTED);
constexpr int kAllocFailed = static_cast<int>(cuda::CUBLAS_STATUS_ALLOC_FAILED);
constexpr int kExecutionFailed = static_cast<int>(cuda::CUBLAS_STATUS_EXECUTION_FAILED);
constexpr int kToHost = static_cast<int>(musa::musaMemcpyDeviceToHost);
constexpr int kToDevice = static_cast<int>(musa::musaMemcpyHostToDevice);
constexpr size_t kBytesAtOnce = size_t{64} << 20;

inline bool copy(void* to, const void* from, size_t bytes, int kind, void* stream) {
  return musaMemcpyAsync(to, from, bytes, kind, stream) == 0;
}
inline bool wait(void* stream) { return musaStreamSynchronize(stream) == 0; }

// The handle's stream, if it can be waited for; otherwise the status for the program.
inline int stream_to_read(const char* function, void* handle, void** stream) {
  if (const int status = torchada_own_cublasGetStream_v2(handle, stream)) return status;
  int capturing = 0;
  if (musaStreamIsCapturing(*stream, &capturing) != 0) return fail(kExecutionFailed);
  if (capturing == 0) return 0;
  return refuse_argument(function, "the stream", "capturing",
                         "the matrices must be read while it runs", kNotSupported);
}

// The problems of a batch that are on the host at the same time.
class Parts {
 public:
  // `bytes`: of the largest matrix of one problem.
  Parts(size_t count, size_t bytes) : count_(count), at_once_(fit(bytes)) {
    if (at_once_ > count_) at_once_ = count_;
  }
  size_t at_once() const { return at_once_; }
  // `work(first, end)` for each part, until one is false.
  template <typename Work>
  bool each(const Work& work) const {
    for (size_t first = 0; first < count_; first += at_once_) {
      const size_t end = first + at_once_ < count_ ? first + at_once_ : count_;
      if (!work(first, end)) return false;
    }
    return true;
  }

 private:
  static size_t fit(size_t bytes) {
    return bytes == 0 || bytes > kBytesAtOnce ? 1 : kBytesAtOnce / bytes;
  }
  size_t count_, at_once_;
};

// One matrix of each problem: on the device with a leading dimension, here without gaps.
template <typename T>
class MatricesOnHost {
 public:
  // `addresses`: on the device, one for each problem.
  MatricesOnHost(const void* addresses, int rows, int columns, int ld, size_t count,
                 const Parts& parts, void* stream)
      : on_device_(addresses),
        stream_(stream),
        row_(static_cast<size_t>(rows) * sizeof(T)),
        columns_(static_cast<size_t>(columns)),
        pitch_(static_cast<size_t>(ld) * sizeof(T)),
        addresses_(count * sizeof(char*)),
        bytes_(count * sizeof(char*)),
        elements_(parts.at_once() * row_ * columns_) {}

  bool failed() const { return !addresses_.data() || !elements_.data(); }
  bool read_addresses() const {
    return copy(addresses_.data(), on_device_, bytes_, kToHost, stream_);
  }
  // The matrix of problem `index`, in the part that begins with problem `first`.
  bool fetch(size_t index, size_t first) const {
    return musaMemcpy2DAsync(at(index - first), row_, address(index), pitch_, row_, columns_,
                             kToHost, stream_) == 0;
  }
  bool store(size_t index, size_t first) const {
    return musaMemcpy2DAsync(address(index), pitch_, at(index - first), row_, row_, columns_,
                             kToDevice, stream_) == 0;
  }
  T* at(size_t place) const {
    return static_cast<T*>(static_cast<void*>(elements_.data() + place * row_ * columns_));
  }

 private:
  void* address(size_t index) const {
    return static_cast<void**>(static_cast<void*>(addresses_.data()))[index];
  }
  const void* on_device_;
  void* stream_;
  size_t row_, columns_, pitch_;
  MappedMemory addresses_;
  size_t bytes_;
  MappedMemory elements_;
};

}  // namespace torchada::batched
