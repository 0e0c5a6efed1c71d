// The arithmetic of reductions.
//
// The result is the same on all ranks, whatever route the data took: elements are combined in the
// order of ranks; floats of 8 and 16 bits are computed in float, all others in their own type; and
// the result is rounded once. Integers wrap around. An average is the sum divided by the number of
// ranks, rounded towards zero for integers. A premultiplied sum multiplies each rank's elements by
// that rank's scalar before it adds them. The maximum or minimum of a number and NaN is the number.
#pragma once

#include <mccl.h>

#include <array>
#include <cstddef>

namespace host_mccl {

enum class Operation : int { kSum, kProduct, kMaximum, kMinimum, kAverage, kPremultipliedSum };

// The number of elements reduced at a time, and memory for them: no type is computed in more than 8
// bytes.
constexpr std::size_t kFoldElements = 2048;
struct FoldMemory {
  alignas(64) std::array<std::byte, kFoldElements * 8> bytes;
};

// Handles at most kFoldElements elements of a type at a time. `scalar` (8 bytes that begin with an
// element) is read only for a premultiplied sum. Elements may be unaligned.
struct Folder {
  void (*begin)(FoldMemory& memory, std::size_t at, const std::byte* from, std::size_t count,
                const std::byte* scalar);
  void (*add)(FoldMemory& memory, std::size_t at, const std::byte* from, std::size_t count,
              const std::byte* scalar);
  void (*end)(const FoldMemory& memory, std::byte* to, std::size_t count, int ranks);
};

const Folder& folder(mcclDataType_t type, Operation operation);

}  // namespace host_mccl
