// What every function of the driver does first and last.
//
// The rules of the functions (which argument is refused how, what is current when) follow the
// published documentation of the functions of CUDA's driver with the corresponding names: MUSA's
// driver is not documented in public, and its names and numbers correspond one to one.
#pragma once

#include <utility>

#include "musa.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/runtime.h"
#include "src/host/shared/forward.h"

namespace musa {

// The driver's status for an operation's. Most have the same number; some exist in the runtime
// only.
MUresult driver_status(musaError_t status);

inline void* pointer(MUdeviceptr address) { return reinterpret_cast<void*>(address); }
inline void** pointer(MUdeviceptr* address) { return reinterpret_cast<void**>(address); }

// A function that needs muInit.
template <typename Body>
MUresult driver_call(Body&& body) noexcept {
  if (!is_initialized()) return MUSA_ERROR_NOT_INITIALIZED;
  return driver_status(api_call([&]() -> musaError_t { return body(Runtime::get()); }));
}

// A function that needs a current context, too.
template <typename Body>
MUresult context_call(Body&& body) noexcept {
  return driver_call([&](Runtime& runtime) -> musaError_t {
    MUSA_RETURN_IF_ERROR(check_context());
    return body(runtime);
  });
}

}  // namespace musa

// Functions that are operations: the arguments have the same bits, often under other types.
#define MUSA_OPERATION(call, count, function, operation)                                           \
  MUresult function(HOST_PARAMETERS_##count(::function)) {                                         \
    return musa::call(                                                                             \
        [&](musa::Runtime&) { return musa::operation(HOST_ARGUMENTS_##count(host::same_bits)); }); \
  }
#define IN_CONTEXT(count, function, operation) \
  MUSA_OPERATION(context_call, count, function, operation)
#define AFTER_INIT(count, function, operation) \
  MUSA_OPERATION(driver_call, count, function, operation)
