// The ways that rows of cuBLAS share (`via` in mappings/forward/cublas.yaml).
#pragma once

#include "stubs/adapting/decided_mode.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cublas/modes.h"

namespace torchada::via {

// A mode that a program sets, and where it is told one.
template <const auto& kDecided, modes::Kind kKind>
struct Mode {
  int number;
};
template <modes::Kind kKind>
struct Told {
  void* place;
};

// What is kept here of a handle, and not told to MUSA.
template <const auto& kDecided, modes::Kind kKind>
int kept(const Function& function, void* handle, Mode<kDecided, kKind> mode) {
  constexpr unsigned kMode = 1;  // The parameter.
  if (const int status = modes::use(handle)) return status;
  const int status =
      decide_mode<kDecided>(function.cuda, kMode, mode.number, kInvalid, kUnsupported);
  return status != 0 ? status : modes::keep(handle, kKind, mode.number);
}

template <modes::Kind kKind>
int kept(const Function&, void* handle, Told<kKind> told) {
  if (const int status = modes::use(handle)) return status;
  if (!told.place) return fail(kInvalid);
  *static_cast<int*>(told.place) = static_cast<int>(kept_value(handle, kKind, modes::kInitial));
  return 0;
}

}  // namespace torchada::via
