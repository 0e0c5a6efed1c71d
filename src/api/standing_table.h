// The tables that torchada-gen emits for torchada_standing().
#pragma once

#include <stdint.h>

#include "src/shared/standing.h"

namespace torchada {

struct StandingEntry {
  uint32_t name;    // Offset in the names.
  uint16_t majors;  // Bit N: in CUDA kOldestMajor + N.
  Standing standing;
};

// A SONAME and the CUDA majors that have it, as in StandingEntry.
struct SonameMajors {
  const char* soname;
  uint16_t majors;
};

extern __attribute__((visibility("hidden"))) const int torchada_oldest_major;
// Ends with a null name.
extern __attribute__((visibility("hidden"))) const SonameMajors torchada_soname_majors[];

// Sorted by name; a name may have several entries, of different majors.
extern __attribute__((visibility("hidden"))) const StandingEntry torchada_standings[];
extern __attribute__((visibility("hidden"))) const uint32_t torchada_standing_count;
extern __attribute__((visibility("hidden"))) const char torchada_standing_names[];

}  // namespace torchada
