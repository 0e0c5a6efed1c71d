// Device code that the program registered with CUDA, as a kernel library has it for MUSA. What the
// answers for guarded functions (guard.h) begin with. They return CUDA's status, which has the same
// number as MUSA's, and record it for cudaGetLastError.
#pragma once

#include "stubs/cudart/answers.h"
#include "stubs/cudart/registered_code.h"
#include "stubs/kernels/code.h"

namespace torchada {

// Finds what a program means by an address: what it registered there, or a kernel whose handle it
// got from cudaGetKernel or cudaGetFuncBySymbol, and the context in which the runtime works. The
// runtime makes one if the thread has none. Returns 0, or the status to return.
int enter_code(const char* function, const void* host, RegisteredCode* code, void** context);

// Reports that no kernel library has it; returns the status.
int refuse_code(const char* function, const RegisteredCode& code);

// Calls use(code) with MUSA's counterpart of what the program means by `host`.
template <typename Use>
int with_code(const char* function, const void* host, Use use) {
  RegisteredCode code;
  void* context = nullptr;
  if (const int status = enter_code(function, host, &code, &context)) return status;
  bool exists = true;
  const int status = kernels::with_code(code.number, context, &exists, use);
  return exists ? told(status) : refuse_code(function, code);
}

}  // namespace torchada
