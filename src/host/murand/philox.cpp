#include "philox.h"

#include <Random123/philox.h>

#include <algorithm>

namespace host_murand {
namespace {

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

std::uint32_t Philox::next() {
  const auto lane = position_ % 4;
  if (!block_is_current_ || lane == 0) {
    const std::uint64_t counter = position_ / 4;
    const r123::Philox4x32::ctr_type block =
        r123::Philox4x32{}({{low(counter), high(counter), 0, 0}}, {{low(seed_), high(seed_)}});
    std::copy(block.begin(), block.end(), block_);
    block_is_current_ = true;
  }
  ++position_;
  return block_[lane];
}

}  // namespace host_murand
