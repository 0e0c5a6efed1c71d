// cuGetExportTable: NVIDIA's own libraries, and programs with the static CUDA runtime, ask the
// driver for private interfaces. Nobody but NVIDIA may describe them, so there are none here. The
// static runtime returns this status from all of its functions, and its program does what it does
// on a machine without a GPU.
#include <stdint.h>

#include "facts.h"
#include "stubs/process/own_address.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/log.h"
#include "stubs/reporting/report.h"
#include "stubs/system/mapped_path.h"

namespace {

constexpr unsigned kCallers = 64;
uintptr_t
    callers[kCallers];  // Where those that the line named are loaded, and 1 so that none is 0.

// If there are more callers than places, the others get no line.
bool is_new(uintptr_t base) {
  for (uintptr_t& known : callers) {
    uintptr_t present = 0;
    if (__atomic_compare_exchange_n(&known, &present, base | 1, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
    if (present == (base | 1)) return false;
  }
  return false;
}

TORCHADA_APART void report(const void* caller, int status) {
  torchada::MappedPath path;
  const uintptr_t base = torchada::object_of(caller, &path);
  torchada::Line line;
  line << (path.size() > 0 ? path.c_str() : "the program")
       << " needs NVIDIA's own driver: it asks for private interfaces (cuGetExportTable), as the "
          "static CUDA runtime does; returning CUDA_ERROR_NO_DEVICE ("
       << status << ")";
  torchada::report_refusal(is_new(base), line, line);
}

}  // namespace

extern "C" int torchada_adapter_cuGetExportTable(const void**, const void*) {
  const int status = static_cast<int>(torchada::cuda::CUDA_ERROR_NO_DEVICE);
  // The trampoline jumps here, so this is the caller of the exported function.
  report(__builtin_return_address(0), status);
  return torchada::fail(status);
}
