// Device code that the program registered with CUDA, as a kernel library has it for MUSA. What the
// answers for guarded functions (guard.h) begin with. They return CUDA's status, which has the same
// number as MUSA's, and record it for cudaGetLastError.
#pragma once

#include "stubs/cudart/answers.h"
#include "stubs/cudart/recent_kernels.h"
#include "stubs/cudart/registered_code.h"
#include "stubs/kernels/code.h"

namespace torchada {

// The context in which the runtime works. It makes one if the thread has none. Returns 0, the
// status to return, or kNoDriver, which is not recorded.
inline constexpr int kNoDriver = -1;
int enter_context(const char* function, void** context);

// Finds what a program means by an address: what it registered there, or a kernel whose handle it
// got from cudaGetKernel and its like; and the context. Returns 0, or the status to return.
int enter_code(const char* function, const void* host, RegisteredCode* code, void** context);

// Reports that no kernel library has it; returns the status.
int refuse_code(const char* function, const RegisteredCode& code);

// Makes the runtime's context again if `status` says that cudaDeviceReset ended it. Returns whether
// there is one now.
bool enter_again(const char* function, int status, void** context);

// kernels::with_code in the context in which the runtime works.
template <typename Use>
int with_number(const char* function, uint32_t number, void* context, bool* exists, Use use) {
  const int status = kernels::with_code(number, context, exists, use);
  if (status == 0 || !enter_again(function, status, &context)) return status;
  return kernels::with_code(number, context, exists, use);
}

// Whether a call with a kernel failed because MUSA may no longer know its handle.
inline bool may_have_lost(int musa_status) {
  return musa_status == static_cast<int>(cuda::cudaErrorInvalidResourceHandle) ||
         musa_status == static_cast<int>(cuda::cudaErrorContextIsDestroyed);
}

// Calls use(code) with MUSA's counterpart of what the program means by `host`. It may be called
// again if it fails.
template <typename Use>
int with_code(const char* function, const void* host, Use use) {
  void* current = nullptr;
  if (RecentKernel recent;
      find_recent(host, &recent) && muCtxGetCurrent(&current) == 0 && current == recent.context) {
    kernels::Code known;
    known.function = recent.function;
    if (const int status = use(known); !may_have_lost(status)) return told(status);
  }
  const uint64_t generation = code_generation();
  RegisteredCode code;
  void* context = nullptr;
  if (const int status = enter_code(function, host, &code, &context)) return status;
  if ((code.number & kernels::kMusas) != 0) {
    kernels::Code musas;
    musas.function = const_cast<void*>(host);
    return told(use(musas));
  }
  bool exists = true;
  const int status =
      with_number(function, code.number, context, &exists, [&](const kernels::Code& found) {
        const int used = use(found);
        if (used == 0 && code.kind == CodeKind::kKernel && muCtxGetCurrent(&current) == 0) {
          note_recent({host, current, found.function}, generation);
        }
        return used;
      });
  return exists ? told(status) : refuse_code(function, code);
}

}  // namespace torchada
