#include "src/host/murand/xorwow.h"

namespace host_murand {
namespace {

using Words = Xorwow::Words;

constexpr std::uint32_t kWeylStep = 362437;
constexpr int kStateBits = 160;
constexpr int kLaneDistance = 67;  // lanes are 2^67 steps apart

void step(Words& words) {
  auto& [x, y, z, w, v] = words;
  const std::uint32_t t = x ^ (x >> 2);
  x = y;
  y = z;
  z = w;
  w = v;
  v = (v ^ (v << 4)) ^ (t ^ (t << 1));
}

void add(Words& sum, const Words& words) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] ^= words[i];
}

// The xorshift part is linear over bits, so any number of steps is a matrix: image[i] is the result
// for the state with only bit i set.
using Matrix = std::array<Words, kStateBits>;

Words advance(const Matrix& image, const Words& words) {
  Words result{};
  for (int bit = 0; bit < kStateBits; ++bit) {
    if (words[bit / 32] >> (bit % 32) & 1U) add(result, image[bit]);
  }
  return result;
}

// The same matrix, prepared for frequent use: processes four bits of the state at a time.
class FastMatrix {
 public:
  explicit FastMatrix(const Matrix& image) {
    for (int digit = 0; digit < kStateBits / 4; ++digit) {
      for (unsigned value = 1; value < 16; ++value) {
        Words& sum = sums_[digit][value];
        for (int bit = 0; bit < 4; ++bit) {
          if (value >> bit & 1U) add(sum, image[digit * 4 + bit]);
        }
      }
    }
  }

  Words advance(const Words& words) const {
    Words result{};
    for (int digit = 0; digit < kStateBits / 4; ++digit) {
      add(result, sums_[digit][words[digit / 8] >> (digit % 8 * 4) & 15U]);
    }
    return result;
  }

 private:
  std::array<std::array<Words, 16>, kStateBits / 4> sums_{};
};

// Entry k is the matrix of 2^k steps.
using Jumps = std::array<Matrix, kLaneDistance + 1>;

void fill(Jumps* jumps) {
  for (int bit = 0; bit < kStateBits; ++bit) {
    Words words{};
    words[bit / 32] = 1U << (bit % 32);
    step(words);
    jumps->front()[bit] = words;
  }
  for (std::size_t k = 1; k < jumps->size(); ++k) {
    const Matrix& half = (*jumps)[k - 1];
    for (int bit = 0; bit < kStateBits; ++bit) (*jumps)[k][bit] = advance(half, half[bit]);
  }
}

// Asked for in streams, where nobody could be told that there is no memory: so it needs none. Never
// destroyed, because streams may still run.
const Jumps& jumps() {
  static Jumps instance;
  static const bool filled = (fill(&instance), true);
  static_cast<void>(filled);
  return instance;
}

const FastMatrix& to_next_lane() {
  static const FastMatrix instance(jumps()[kLaneDistance]);
  return instance;
}

struct State {
  Words words;
  std::uint32_t weyl;
};

// The state of a seed after `steps` steps. cuRAND, and everything that reproduces its sequences,
// mixes the seed with these constants. The starting words come from the paper.
State state_of(std::uint64_t seed, std::uint64_t steps) {
  const std::uint32_t low = 1099087573U * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49U);
  const std::uint32_t high = 2591861531U * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddU);
  State state{{123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low},
              6615241 + low + high + kWeylStep * static_cast<std::uint32_t>(steps)};
  for (std::size_t k = 0; steps != 0; ++k, steps >>= 1) {
    if (steps & 1U) state.words = advance(jumps()[k], state.words);
  }
  return state;
}

}  // namespace

void Xorwow::start(const Origin& origin) {
  const std::uint64_t row = origin.offset / kLanes;
  State state = state_of(origin.seed, row);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t i = 0; i < state.words.size(); ++i) words_[i][lane] = state.words[i];
    words_[5][lane] = state.weyl;  // 2^67 Weyl steps change nothing
    state.words = to_next_lane().advance(state.words);
  }
  std::uint32_t passed[kLanes];
  next<1>(0, origin.offset % kLanes, passed, 0);
}

template <int kWords>
void Xorwow::next(std::size_t first, std::size_t count, std::uint32_t* __restrict out,
                  std::size_t stride) {
  std::uint32_t* __restrict const x = words_[0].data() + first;
  std::uint32_t* __restrict const y = words_[1].data() + first;
  std::uint32_t* __restrict const z = words_[2].data() + first;
  std::uint32_t* __restrict const w = words_[3].data() + first;
  std::uint32_t* __restrict const v = words_[4].data() + first;
  std::uint32_t* __restrict const d = words_[5].data() + first;
  for (std::size_t i = 0; i < count; ++i) {
    Words words = {x[i], y[i], z[i], w[i], v[i]};
    std::uint32_t weyl = d[i];
    for (int k = 0; k < kWords; ++k) {
      step(words);
      weyl += kWeylStep;
      out[k * stride + i] = words[4] + weyl;
    }
    x[i] = words[0];
    y[i] = words[1];
    z[i] = words[2];
    w[i] = words[3];
    v[i] = words[4];
    d[i] = weyl;
  }
}

template void Xorwow::next<1>(std::size_t, std::size_t, std::uint32_t*, std::size_t);
template void Xorwow::next<2>(std::size_t, std::size_t, std::uint32_t*, std::size_t);
template void Xorwow::next<4>(std::size_t, std::size_t, std::uint32_t*, std::size_t);

}  // namespace host_murand
