#include "src/host/murand/philox.h"

#include <algorithm>
#include <array>

namespace host_murand {
namespace {

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

// The four words of several counters side by side, so that the compiler can vectorise.
constexpr std::size_t kAtOnce = 16;
using Block = std::array<std::array<std::uint32_t, kAtOnce>, 4>;

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011), with ten rounds.
void encrypt(Block& block, std::uint32_t key0, std::uint32_t key1) {
  auto& [a, b, c, d] = block;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      const std::uint64_t first = std::uint64_t{0xD2511F53} * a[i];
      const std::uint64_t second = std::uint64_t{0xCD9E8D57} * c[i];
      a[i] = high(second) ^ b[i] ^ key0;
      b[i] = low(second);
      c[i] = high(first) ^ d[i] ^ key1;
      d[i] = low(first);
    }
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
}

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
  for (std::size_t i = 0; i < count; i += kAtOnce) {
    const std::size_t some = std::min(kAtOnce, count - i);
    for (std::size_t k = 0; k < kRows; ++k) {
      Block block{};
      for (std::size_t lane = 0; lane < some; ++lane) {
        const std::uint64_t row = row_[first + i + lane] + k;
        block[0][lane] = low(row);
        block[1][lane] = high(row);
        block[2][lane] = low(first + i + lane);
      }
      encrypt(block, low(seed_), high(seed_));
      std::uint32_t* const to = out + k * stride + 4 * i;
      for (std::size_t lane = 0; lane < some; ++lane) {
        for (std::size_t word = 0; word < 4; ++word) to[4 * lane + word] = block[word][lane];
      }
    }
  }
}

template void Philox::peek<1>(std::size_t, std::size_t, std::uint32_t*, std::size_t) const;
template void Philox::peek<2>(std::size_t, std::size_t, std::uint32_t*, std::size_t) const;

void Philox::pass(std::size_t first, std::size_t count, std::uint64_t rows) {
  for (std::size_t i = 0; i < count; ++i) row_[first + i] += rows;
}

}  // namespace host_murand
