// cudaFuncGetAttributes: the struct has 56 bytes in CUDA 11 and 144 from CUDA 12 on; the longer one
// begins like the shorter. No public source gives the size of MUSA's struct. So MUSA writes into
// more than enough memory, and the program gets the part that it knows. What MUSA does not write is
// zero.
//
// Kernels that the program brought for CUDA do not come here: see guard.h.
#include <string.h>

#include "facts.h"
#include "stubs/fallback.h"

namespace {

constexpr size_t kPlenty = 1024;
constexpr size_t kKnown = torchada::cuda::sizeof_cudaFuncAttributes;
static_assert(kKnown * 4 <= kPlenty);

}  // namespace

extern "C" int torchada_adapter_cudaFuncGetAttributes(void* attributes, const void* function) {
  if (!attributes) return torchada::fail(static_cast<int>(torchada::cuda::cudaErrorInvalidValue));
  alignas(16) unsigned char given[kPlenty] = {};
  const int status = musaFuncGetAttributes(given, function);
  if (status == 0) memcpy(attributes, given, kKnown);
  return status;
}
