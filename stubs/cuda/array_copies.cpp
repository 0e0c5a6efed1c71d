// What MUSA's copy in two dimensions does besides: copies between arrays of one dimension and
// memory, which are one row of it, and copies with any pitch.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"

namespace {

using torchada::outcome;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

// One side of MUSA_MEMCPY2D.
struct Side {
  size_t x;
  size_t y;
  int type;
  const void* host;
  unsigned long long device;
  void* array;
  size_t pitch;
};
struct Copy {
  Side from;
  Side to;
  size_t width;
  size_t height;
};
static_assert(sizeof(Copy) == musa::sizeof_MUSA_MEMCPY2D);
static_assert(offsetof(Side, type) == musa::MUSA_MEMCPY2D_srcMemoryType);
static_assert(offsetof(Side, device) == musa::MUSA_MEMCPY2D_srcDevice);
static_assert(offsetof(Side, array) == musa::MUSA_MEMCPY2D_srcArray);
static_assert(offsetof(Side, pitch) == musa::MUSA_MEMCPY2D_srcPitch);
static_assert(offsetof(Copy, to) == musa::MUSA_MEMCPY2D_dstXInBytes);
static_assert(offsetof(Copy, to) + offsetof(Side, array) == musa::MUSA_MEMCPY2D_dstArray);
static_assert(offsetof(Copy, width) == musa::MUSA_MEMCPY2D_WidthInBytes);
static_assert(offsetof(Copy, height) == musa::MUSA_MEMCPY2D_Height);

// The types of memory have CUDA's numbers.
Side in_array(void* array, size_t offset) {
  Side side = {};
  side.x = offset;
  side.type = static_cast<int>(cuda::CU_MEMORYTYPE_ARRAY);
  side.array = array;
  return side;
}

Side on_device(unsigned long long address) {
  Side side = {};
  side.type = static_cast<int>(cuda::CU_MEMORYTYPE_DEVICE);
  side.device = address;
  return side;
}

int copy(const char* function, const Side& to, const Side& from, size_t bytes) {
  const Copy row{from, to, bytes, 1};
  return outcome({function, "muMemcpy2D_v2"}, muMemcpy2D_v2(&row));
}

}  // namespace

extern "C" {

int torchada_adapter_cuMemcpyAtoA_v2(void* to, size_t to_offset, void* from, size_t from_offset,
                                     size_t bytes) {
  return copy("cuMemcpyAtoA_v2", in_array(to, to_offset), in_array(from, from_offset), bytes);
}

int torchada_adapter_cuMemcpyAtoD_v2(unsigned long long to, void* from, size_t offset,
                                     size_t bytes) {
  return copy("cuMemcpyAtoD_v2", on_device(to), in_array(from, offset), bytes);
}

int torchada_adapter_cuMemcpyDtoA_v2(void* to, size_t offset, unsigned long long from,
                                     size_t bytes) {
  return copy("cuMemcpyDtoA_v2", in_array(to, offset), on_device(from), bytes);
}

// MUSA's struct has CUDA's members, and the types of memory have CUDA's numbers.
int torchada_adapter_cuMemcpy2DUnaligned_v2(const void* rows) {
  return outcome({"cuMemcpy2DUnaligned_v2", "muMemcpy2D_v2"}, muMemcpy2D_v2(rows));
}

}  // extern "C"
