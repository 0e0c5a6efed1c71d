// Batched copies in CUDA 13, which dropped the argument that says which copy failed. MUSA has CUDA
// 12's form.
#include <stddef.h>

#include "stubs/cudart/answers.h"

#if TORCHADA_ABI >= 13
using namespace torchada;

extern "C" int torchada_adapter_cudaMemcpyBatchAsync(void* const* to, const void* const* from,
                                                     const size_t* sizes, size_t count,
                                                     void* attributes, size_t* first,
                                                     size_t attribute_count, void* stream) {
  size_t failed = 0;
  return told("cudaMemcpyBatchAsync",
              musaMemcpyBatchAsync(const_cast<void**>(to), const_cast<void**>(from),
                                   const_cast<size_t*>(sizes), count, attributes, first,
                                   attribute_count, &failed, stream));
}

extern "C" int torchada_adapter_cudaMemcpy3DBatchAsync(size_t count, void* copies,
                                                       unsigned long long flags, void* stream) {
  size_t failed = 0;
  return told("cudaMemcpy3DBatchAsync",
              musaMemcpy3DBatchAsync(count, copies, &failed, flags, stream));
}

#endif
