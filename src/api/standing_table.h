// The tables that torchada-gen emits for torchada_standing().
#pragma once

#include <stdint.h>

namespace torchada {

struct StandingEntry {
  uint32_t name;     // Offset in the names.
  uint8_t abi;       // CUDA major; 0 if one library serves all majors.
  uint8_t standing;  // One of torchada_standing_t in torchada.h.
};

// Sorted by name, then by major.
extern __attribute__((visibility("hidden"))) const StandingEntry torchada_standings[];
extern __attribute__((visibility("hidden"))) const uint32_t torchada_standing_count;
extern __attribute__((visibility("hidden"))) const char torchada_standing_names[];

}  // namespace torchada
