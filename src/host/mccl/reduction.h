// The arithmetic of reductions.
//
// The same for all ranks, whatever the route the data took: ranks are folded in their order, 16 and
// 8 bit floats in float, all others in their own type, and the result is rounded once. Integers
// wrap around. An average is the sum divided by the number of ranks, towards zero for integers. A
// premultiplied sum multiplies each rank's elements by that rank's scalar before it adds them.
// Maximum and minimum of a number and NaN are the number.
#pragma once

#include <mccl.h>

#include <array>
#include <cstddef>

namespace host_mccl {

enum class Operation : int { kSum, kProduct, kMaximum, kMinimum, kAverage, kPremultipliedSum };

// Elements reduced at a time, and the memory that needs: no type is computed in more than 8 bytes.
constexpr std::size_t kFoldElements = 2048;
struct FoldMemory {
  alignas(64) std::array<std::byte, kFoldElements * 8> bytes;
};

// At most kFoldElements elements of a type. `scalar` (8 bytes, of which the first are an element)
// is looked at for a premultiplied sum only. Elements may be unaligned.
struct Folder {
  void (*begin)(FoldMemory& memory, std::size_t at, const std::byte* from, std::size_t count,
                const std::byte* scalar);
  void (*add)(FoldMemory& memory, std::size_t at, const std::byte* from, std::size_t count,
              const std::byte* scalar);
  void (*end)(const FoldMemory& memory, std::byte* to, std::size_t count, int ranks);
};

const Folder& folder(mcclDataType_t type, Operation operation);

}  // namespace host_mccl
