// What a caller may expect of an export of our libraries.
#pragma once

#include <array>

namespace torchada {

enum class Standing : unsigned char {
  // Direct or adapted; the target's name, its arguments and every number that is converted rest on
  // tier `doc` or better.
  kSupported,
  kAssumed,   // Direct or adapted, but one of these rests on weaker evidence.
  kEmulated,  // A hand-written adapter, in every SDK or in the one that is asked about.
  kUnsupported,
};

inline constexpr std::array kStandingNames = {"supported", "assumed", "emulated", "unsupported"};
inline constexpr int kStandings = kStandingNames.size();

constexpr const char* standing_name(Standing standing) {
  return kStandingNames[static_cast<unsigned>(standing)];
}

// Whether a call of it is refused.
constexpr bool is_refused(Standing standing) { return standing == Standing::kUnsupported; }

}  // namespace torchada
