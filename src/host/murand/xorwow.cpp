#include "xorwow.h"

#include <memory>
#include <utility>

namespace host_murand {
namespace {

using Words = Xorwow::Words;

constexpr Words kPaperWords = {123456789, 362436069, 521288629, 88675123, 5783321};
constexpr std::uint32_t kPaperWeyl = 6615241;
constexpr std::uint32_t kWeylStep = 362437;
constexpr int kStateBits = 160;

void step(Words& words) {
  auto& [x, y, z, w, v] = words;
  const std::uint32_t t = x ^ (x >> 2);
  x = y;
  y = z;
  z = w;
  w = v;
  v = (v ^ (v << 4)) ^ (t ^ (t << 1));
}

// The xorshift part is linear over bits, so any number of steps is a matrix: image[i] is what
// becomes of the state with only bit i set.
using Matrix = std::array<Words, kStateBits>;

Words advance(const Matrix& image, const Words& words) {
  Words result{};
  for (int bit = 0; bit < kStateBits; ++bit) {
    if ((words[bit / 32] >> (bit % 32) & 1U) == 0) continue;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] ^= image[bit][i];
  }
  return result;
}

// Entry k steps 2^k times.
using Jumps = std::array<Matrix, 64>;

std::unique_ptr<Jumps> make_jumps() {
  auto jumps = std::make_unique<Jumps>();
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
  return jumps;
}

void jump(Words& words, std::uint64_t steps) {
  static const Jumps& jumps = *make_jumps().release();  // never destroyed: streams may still run
  for (std::size_t k = 0; steps != 0; ++k, steps >>= 1) {
    if (steps & 1U) words = advance(jumps[k], words);
  }
}

// Neighbouring seeds give unrelated words, and 0 stays 0 (the finalizer of MurmurHash3).
std::uint64_t scatter(std::uint64_t value) {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdU;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53U;
  return value ^ (value >> 33);
}

}  // namespace

Xorwow::Xorwow(std::uint64_t seed, std::uint64_t position) : words_(kPaperWords) {
  // Two words stay as they are, so that no seed can give the state of all zeros.
  const std::uint64_t first = scatter(seed);
  const std::uint64_t second = scatter(first);
  words_[0] ^= static_cast<std::uint32_t>(first);
  words_[1] ^= static_cast<std::uint32_t>(first >> 32);
  words_[2] ^= static_cast<std::uint32_t>(second);
  weyl_ = kPaperWeyl + static_cast<std::uint32_t>(second >> 32);
  jump(words_, position);
  weyl_ += kWeylStep * static_cast<std::uint32_t>(position);
}

std::uint32_t Xorwow::next() {
  step(words_);
  weyl_ += kWeylStep;
  return words_[4] + weyl_;
}

}  // namespace host_murand
