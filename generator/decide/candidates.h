// Functions of MUSA that may serve a CUDA symbol.
#pragma once

#include "generator/decide/adaptation.h"
#include "generator/decide/compare.h"
#include "generator/tables/tables.h"

namespace torchada {

// A target that a direct row jumps to, for one range of SDKs.
struct Candidate {
  const MusaSymbol* symbol = nullptr;
  const MusaPrototype* prototype = nullptr;
  Comparison comparison;
};

// A target that an adapted row reaches through a generated adapter.
struct AdaptedCandidate {
  const MusaSymbol* symbol = nullptr;
  const MusaPrototype* prototype = nullptr;
  Adaptation adaptation;
};

}  // namespace torchada
