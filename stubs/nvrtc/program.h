// What a program's nvrtcProgram leads to. MUSA's own program is made when it is compiled, so that
// one can be created and destroyed without MUSA. Like NVIDIA's, a program is used by one thread at
// a time.
#pragma once

#include "stubs/kernels/mapped_array.h"
#include "stubs/nvrtc/texts.h"

namespace torchada::nvrtc {

struct Program {
  Texts source;          // The source and its name.
  Texts headers;         // Their contents.
  Texts include_names;   // As many as headers.
  Texts expressions;     // Whose lowered names the program will ask for.
  Texts log;             // What stood in the way before MUSA's compiler was called; at most one.
  void* musa = nullptr;  // MUSA's program once it was given to the compiler. It owns the image.
  bool was_compiled = false;  // Whether a compilation was tried with valid options.
  bool has_image = false;
  bool is_virtual = true;  // Compiled for a virtual architecture: there is PTX and no cubin.
  int (*callback)(void*, void*) = nullptr;
  void* payload = nullptr;

  // Null without memory.
  static Program* make();
  // Frees everything but MUSA's program.
  void release();
};

// Null for what is no program, or is one no longer.
Program* program_of(void* handle);

// Fails the call for a program that is null or for a null result, as NVIDIA's library does: 0 or
// the status to return.
int check(const Program* program, const void* result);

}  // namespace torchada::nvrtc
