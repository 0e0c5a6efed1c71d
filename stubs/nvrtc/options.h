// NVRTC's options and what becomes of each. MUSA's compiler, which is made from clang, takes them
// by clang's names.
#pragma once

#include "stubs/nvrtc/texts.h"

namespace torchada::nvrtc {

struct Options {
  Texts musa;              // For MUSA's compiler, without the architecture.
  int architecture = 0;    // 80 for sm_80 and for compute_80; 0 if none was given.
  bool is_virtual = true;  // compute_NN, or none.

  void release() { musa.release(); }
};

// Translates `options`. Returns 0; otherwise the status of nvrtcCompileProgram, and `log` has one
// text that says why.
int translate(int count, const char* const* options, Options* out, Texts* log);

}  // namespace torchada::nvrtc
