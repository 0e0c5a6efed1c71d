// The runtime's functions behind functions of the driver. No public source gives functions of
// MUSA's driver for memory pools, for user objects and for parts of capture and graphs; its runtime
// has them, and both take the same streams, events, graphs and pools.
//
// A row whose adapter includes this lists muCtxGetCurrent, musaGetLastError and
// musaPeekAtLastError among its calls.
#pragma once

#include <stdint.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/reporting/fallback.h"

namespace torchada::driver {

// The number in MUresult that says the same as `error` of musaError_t, or comes closest.
int status_of_runtime(int error);

// What `call`, a call of the runtime, returns. Leaves the error that cudaGetLastError tells as it
// was: programs do not see the driver's errors there.
template <typename Call>
int runtime_error(Call call) {
  const int pending = musaPeekAtLastError();
  const int error = call();
  if (error != 0 && pending == 0) musaGetLastError();
  return error;
}

template <typename Call>
int after_runtime(const Function& function, Call call) {
  return outcome(function, status_of_runtime(runtime_error(call)));
}

// Sets `context` to the current one. Returns 0, or the status to return if the driver was not
// initialised: the runtime would initialise it by itself.
inline int require_driver(const Function& function, void** context) {
  const int status = muCtxGetCurrent(context);
  const bool missing = status_to_cuda(status) == cuda::CUDA_ERROR_NOT_INITIALIZED;
  return missing ? outcome(function, status) : 0;
}

// 0, or the status to return for a function that works in `stream`. Without a current context there
// is no default stream; the runtime would make a context.
inline int require_stream(const Function& function, void* stream) {
  void* context = nullptr;
  if (const int status = require_driver(function, &context)) return status;
  const bool is_default = reinterpret_cast<uintptr_t>(stream) <= musa::MU_STREAM_PER_THREAD;
  if (context || !is_default) return 0;
  return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_CONTEXT));
}

template <typename Call>
int by_runtime(const Function& function, Call call) {
  void* context = nullptr;
  if (const int status = require_driver(function, &context)) return status;
  return after_runtime(function, call);
}

template <typename Call>
int in_stream(const Function& function, void* stream, Call call) {
  if (const int status = require_stream(function, stream)) return status;
  return after_runtime(function, call);
}

}  // namespace torchada::driver
