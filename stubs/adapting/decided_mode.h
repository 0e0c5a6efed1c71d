// What becomes of a mode that a program sets and whose number in MUSA no source gives: `decided` in
// mappings/forward/types.yaml says so for each enumerator, and facts.h has it as kDecided_TYPE.
#pragma once

#include <stdint.h>

#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"
#include "stubs/reporting/report.h"

namespace torchada {

enum class Decided : unsigned char {
  kAccepted,  // Permits something, or is a hint.
  kTold,      // Demands something, which has no effect.
  kRefused,
};

struct DecidedNumber {
  int32_t value;
  Decided decided;
  bool is_flag;  // Combined with the others.
};

// The status for setting `mode`, which is parameter `number` (from 0) of `function`: 0 if it may be
// kept; `invalid` if CUDA has no such mode; `unsupported` if it is refused. Says in one line that a
// mode is refused or has no effect.
template <const auto& kRows>
int decide_mode(const char* function, unsigned number, int mode, int invalid, int unsupported) {
  int rest = mode;
  for (const DecidedNumber& row : kRows) {
    if (row.is_flag) rest &= ~row.value;
  }
  bool is_known = false;
  bool is_refused = false;
  uint32_t demands = 0;  // One bit for each row.
  unsigned index = 0;
  for (const DecidedNumber& row : kRows) {
    const bool is_meant = row.is_flag ? (mode & row.value) != 0 : row.value == rest;
    is_known |= is_meant && !row.is_flag;
    is_refused |= is_meant && row.decided == Decided::kRefused;
    if (is_meant && row.decided == Decided::kTold) demands |= 1u << index;
    ++index;
  }
  static_assert(sizeof kRows / sizeof *kRows <= 32);
  if (!is_known) return fail(invalid);
  if (is_refused) return refuse_enumerator(function, number, mode, nullptr, unsupported);
  // Programs set a mode before each product, and to find the words of a line takes a while.
  static uint32_t told;
  if (demands != 0 &&
      (every_refusal_counts() || (demands & ~__atomic_load_n(&told, __ATOMIC_RELAXED)) != 0)) {
    __atomic_fetch_or(&told, demands, __ATOMIC_RELAXED);
    for (uint32_t rest_of = demands; rest_of != 0; rest_of &= rest_of - 1) {
      tell_enumerator(function, number, kRows[__builtin_ctz(rest_of)].value);
    }
  }
  return 0;
}

}  // namespace torchada
