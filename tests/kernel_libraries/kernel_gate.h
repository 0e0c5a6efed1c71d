// What the kernel wait_for waits for.
#ifndef TORCHADA_TESTS_KERNEL_LIBRARIES_KERNEL_GATE_H_
#define TORCHADA_TESTS_KERNEL_LIBRARIES_KERNEL_GATE_H_

#include "tests/conformance/support.h"

class KernelGate {
 public:
  void* flags() const { return flags_; }
  // Returns when the kernel runs.
  void wait_for_the_kernel() const {
    for (int runs = 0; runs == 0;) {
      ASSERT_OK(cudaMemcpyAsync(&runs, flags_.bytes() + sizeof(int), sizeof runs,
                                cudaMemcpyDeviceToHost, stream_));
      ASSERT_OK(cudaStreamSynchronize(stream_));
    }
  }
  void open() const {
    EXPECT_OK(cudaMemsetAsync(flags_, 1, sizeof(int), stream_));
    EXPECT_OK(cudaStreamSynchronize(stream_));
  }

 private:
  Buffer flags_{2 * sizeof(int)};
  Stream stream_{cudaStreamNonBlocking};
};

#endif  // TORCHADA_TESTS_KERNEL_LIBRARIES_KERNEL_GATE_H_
