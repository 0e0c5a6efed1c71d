// Copies of boxes between the memory of two contexts. No public source gives MUSA's functions for
// them; it copies rows between contexts, and boxes in one.
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/box.h"
#include "stubs/cuda/in_context.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::Box;
using torchada::driver::in_context;
using torchada::driver::Side;
namespace cuda = torchada::cuda;

// CUDA_MEMCPY3D_PEER is MUSA's struct with a context on each side.
static_assert(sizeof(Box) == cuda::sizeof_CUDA_MEMCPY3D_PEER);
static_assert(offsetof(Side, type) == cuda::CUDA_MEMCPY3D_PEER_srcMemoryType);
static_assert(offsetof(Side, device) == cuda::CUDA_MEMCPY3D_PEER_srcDevice);
static_assert(offsetof(Side, context) == cuda::CUDA_MEMCPY3D_PEER_srcContext);
static_assert(offsetof(Side, pitch) == cuda::CUDA_MEMCPY3D_PEER_srcPitch);
static_assert(offsetof(Box, to) == cuda::CUDA_MEMCPY3D_PEER_dstXInBytes);
static_assert(offsetof(Box, width) == cuda::CUDA_MEMCPY3D_PEER_WidthInBytes);
static_assert(offsetof(Box, depth) == cuda::CUDA_MEMCPY3D_PEER_Depth);

struct Call {
  const char* function;
  bool waits;
  void* stream;
};

bool is_device(const Side& side) {
  return side.type == static_cast<int>(cuda::CU_MEMORYTYPE_DEVICE);
}

// The context is used for memory of a device and for arrays.
bool has_context(const Side& side) {
  return is_device(side) || side.type == static_cast<int>(cuda::CU_MEMORYTYPE_ARRAY);
}

unsigned long long row_of(const Side& side, const Box& copy, size_t y, size_t z) {
  const size_t pitch = side.pitch != 0 ? side.pitch : side.x + copy.width;
  const size_t height = side.height != 0 ? side.height : side.y + copy.height;
  return side.device + ((side.z + z) * height + side.y + y) * pitch + side.x;
}

int copy_rows(const Call& call, const Box& copy) {
  for (size_t z = 0; z < copy.depth; ++z) {
    for (size_t y = 0; y < copy.height; ++y) {
      const unsigned long long to = row_of(copy.to, copy, y, z);
      const unsigned long long from = row_of(copy.from, copy, y, z);
      const int status =
          call.waits
              ? outcome({call.function, "muMemcpyPeer"},
                        muMemcpyPeer(to, copy.to.context, from, copy.from.context, copy.width))
              : outcome({call.function, "muMemcpyPeerAsync"},
                        muMemcpyPeerAsync(to, copy.to.context, from, copy.from.context, copy.width,
                                          call.stream));
      if (status != 0) return status;
    }
  }
  return 0;
}

int copy_box(const Call& call, Box copy) {
  void* const context = has_context(copy.to)     ? copy.to.context
                        : has_context(copy.from) ? copy.from.context
                                                 : nullptr;
  copy.from.context = nullptr;
  copy.to.context = nullptr;
  return in_context(call.function, context, [&] {
    return call.waits ? outcome({call.function, "muMemcpy3D_v2"}, muMemcpy3D_v2(&copy))
                      : outcome({call.function, "muMemcpy3DAsync_v2"},
                                muMemcpy3DAsync_v2(&copy, call.stream));
  });
}

int run(const Call& call, const void* wanted) {
  if (!wanted) return fail(torchada::kInvalid);
  const Box& copy = *static_cast<const Box*>(wanted);
  if (is_device(copy.from) && is_device(copy.to)) return copy_rows(call, copy);
  if (has_context(copy.from) && has_context(copy.to) && copy.from.context != copy.to.context) {
    return torchada::refuse_argument(
        call.function, "pCopy", "(an array and memory of another context)",
        "MUSA copies only linear memory between contexts", torchada::kUnsupported);
  }
  return copy_box(call, copy);
}

}  // namespace

extern "C" {

int torchada_adapter_cuMemcpy3DPeer(const void* copy) {
  return run({"cuMemcpy3DPeer", true, nullptr}, copy);
}

int torchada_adapter_cuMemcpy3DPeerAsync(const void* copy, void* stream) {
  return run({"cuMemcpy3DPeerAsync", false, stream}, copy);
}

}  // extern "C"
