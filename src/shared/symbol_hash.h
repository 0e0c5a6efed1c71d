// The hash of a symbol's name in DT_GNU_HASH. The compiler computes it for each function of MUSA
// that an emitted table names.
#pragma once

#include <stdint.h>

namespace torchada {

constexpr uint32_t symbol_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

}  // namespace torchada
