// Products of matrices whose elements the threads of a warp hold.
#pragma once

#include "torchada_math.h"
#include "torchada_warps.h"

namespace torchada {

// A float with 10 bits behind the point, rounded to nearest; half of the last one away from 0.
TORCHADA_DEVICE unsigned int tf32_bits(float x) {
  const unsigned int bits = as<unsigned int>(x);
  return x - x != 0 ? bits : (bits + 0x1000) & 0xffffe000;
}

// Calls `use` with where each lane of the mask has its value.
template <typename Type, typename Use>
TORCHADA_DEVICE auto with_all(unsigned int mask, const Type& value, Use use)
    -> decltype(use(static_cast<const Type* const*>(nullptr))) {
  const Type* own[32];
  const Type** const all = read_lane(mask, own, __builtin_ffs(static_cast<int>(mask)) - 1);
  all[lane()] = &value;
  __syncwarp(mask);
  const auto result = use(static_cast<const Type* const*>(all));
  __syncwarp(mask);  // nobody's value changes before
  return result;
}

}  // namespace torchada
