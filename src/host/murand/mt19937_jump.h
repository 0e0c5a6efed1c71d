#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace host_murand {

inline constexpr std::size_t kMtWords = 624;
using MtState = std::array<std::uint32_t, kMtWords>;

// The word that follows 624 words of MT19937.
inline std::uint32_t mt_next(const std::uint32_t* words) {
  const std::uint32_t joined = (words[0] & 0x80000000U) | (words[1] & 0x7fffffffU);
  return words[397] ^ joined >> 1 ^ (joined & 1U ? 0x9908b0dfU : 0U);
}

// The state after 2^2048 more words.
MtState mt_jump(const MtState& state);

}  // namespace host_murand
