// Memory: what an allocation was made with, and the oldest form of pinned memory.
#include <string.h>

#include "facts.h"
#include "stubs/fallback.h"
#include "stubs/outcome.h"

namespace {

using torchada::fail;
using torchada::outcome;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

// The same bytes mean the same on both sides. CUDA 13.5 gives the number of a device a second
// reading, which MUSA's answers never have.
static_assert(musa::sizeof_MUmemAllocationProp == cuda::sizeof_CUmemAllocationProp);
static_assert(musa::MUmemAllocationProp_requestedHandleTypes ==
              cuda::CUmemAllocationProp_requestedHandleTypes);
static_assert(musa::MUmemAllocationProp_location == cuda::CUmemAllocationProp_location);
static_assert(musa::MUmemAllocationProp_allocFlags_usage ==
              cuda::CUmemAllocationProp_allocFlags_usage);
static_assert(musa::MUmemLocation_id == cuda::CUmemLocation_id);

}  // namespace

extern "C" {

int torchada_adapter_cuMemGetAllocationPropertiesFromHandle(void* out, unsigned long long handle) {
  return outcome(
      {"cuMemGetAllocationPropertiesFromHandle", "muMemGetAllocationPropertiesFromHandle"},
      muMemGetAllocationPropertiesFromHandle(out, handle));
}

int torchada_adapter_cuMemAllocHost(void** memory, unsigned size) {
  return outcome({"cuMemAllocHost", "muMemAllocHost_v2"}, muMemAllocHost_v2(memory, size));
}

}  // extern "C"
