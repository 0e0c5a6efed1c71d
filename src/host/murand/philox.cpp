#include "philox.h"

#include <Random123/philox.h>

namespace host_murand {
namespace {

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

}  // namespace

void Philox::start(const Origin& origin) {
  seed_ = origin.seed;
  const std::uint64_t group = origin.offset / 4;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    row_[lane] = group / kLanes + (lane < group % kLanes ? 1 : 0);
  }
}

template <int kRows>
void Philox::peek(std::size_t first, std::size_t count, std::uint32_t* out,
                  std::size_t stride) const {
  const r123::Philox4x32::key_type key = {{low(seed_), high(seed_)}};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < kRows; ++k) {
      const std::uint64_t row = row_[first + i] + k;
      const r123::Philox4x32::ctr_type block =
          r123::Philox4x32{}({{low(row), high(row), low(first + i), 0}}, key);
      for (std::size_t word = 0; word < 4; ++word) out[k * stride + 4 * i + word] = block[word];
    }
  }
}

template void Philox::peek<1>(std::size_t, std::size_t, std::uint32_t*, std::size_t) const;
template void Philox::peek<2>(std::size_t, std::size_t, std::uint32_t*, std::size_t) const;

void Philox::pass(std::size_t first, std::size_t count, std::uint64_t rows) {
  for (std::size_t i = 0; i < count; ++i) row_[first + i] += rows;
}

}  // namespace host_murand
