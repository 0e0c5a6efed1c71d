// MUSA's description of a copy of a box of memory.
#pragma once

#include <stddef.h>

#include "facts.h"

namespace torchada::driver {

struct Side {
  size_t x;  // In bytes.
  size_t y;
  size_t z;
  size_t level;
  int type;
  const void* host;
  unsigned long long device;
  void* array;
  void* context;  // Reserved in MUSA, where it must be null.
  size_t pitch;   // In bytes.
  size_t height;
};

// MUSA_MEMCPY3D.
struct Box {
  Side from;
  Side to;
  size_t width;  // In bytes.
  size_t height;
  size_t depth;
};
static_assert(sizeof(Box) == musa::sizeof_MUSA_MEMCPY3D);
static_assert(offsetof(Side, type) == musa::MUSA_MEMCPY3D_srcMemoryType);
static_assert(offsetof(Side, device) == musa::MUSA_MEMCPY3D_srcDevice);
static_assert(offsetof(Side, context) == musa::MUSA_MEMCPY3D_reserved0);
static_assert(offsetof(Side, pitch) == musa::MUSA_MEMCPY3D_srcPitch);
static_assert(offsetof(Box, to) == musa::MUSA_MEMCPY3D_dstXInBytes);
static_assert(offsetof(Box, depth) == musa::MUSA_MEMCPY3D_Depth);

}  // namespace torchada::driver
