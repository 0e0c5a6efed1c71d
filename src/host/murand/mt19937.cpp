#include "src/host/murand/mt19937.h"

namespace host_murand {

void Mt19937::start(const Origin& origin) {
  auto word = static_cast<std::uint32_t>(origin.seed);
  for (std::size_t i = 0; i < kMtWords; ++i) {
    last_start_[i] = word;
    word = 1812433253U * (word ^ word >> 30) + static_cast<std::uint32_t>(i + 1);
  }
  engines_.clear();
}

// Setting up an engine takes a moment, so an engine is set up only when it is needed.
const MtState& Mt19937::block(std::size_t engine, std::uint64_t number) {
  while (engines_.size() <= engine) {
    if (!engines_.empty()) last_start_ = mt_jump(last_start_);
    engines_.push_back({last_start_, 0});
  }
  Engine& found = engines_[engine];
  while (found.next <= number) {
    std::array<std::uint32_t, 2 * kMtWords> both;
    std::copy(found.words.begin(), found.words.end(), both.begin());
    for (std::size_t i = 0; i < kMtWords; ++i) both[kMtWords + i] = mt_next(&both[i]);
    std::copy(both.begin() + kMtWords, both.end(), found.words.begin());
    ++found.next;
  }
  return found.words;
}

}  // namespace host_murand
