// A call that the profiler sees, from before it is made until it has ended.
#pragma once

#include <ffi.h>

namespace torchada::profiler {

// The handler of closures: `data` is the Function. It passes the call on.
void on_observed(ffi_cif* interface, void* result, void** arguments, void* data);

}  // namespace torchada::profiler
