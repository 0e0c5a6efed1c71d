// The functions that the replacement libraries call; see companion.h.
#include <cstdlib>

#include "src/companion/trace/recording.h"
#include "src/companion/trace/thread.h"
#include "src/companion/trace/tracer.h"
#include "src/shared/companion_interface.h"

namespace torchada::trace {
namespace {

bool is_used;

// Runs after the program's own handlers and destructors, which may still call CUDA.
__attribute__((destructor)) void end() {
  if (is_used) Tracer::get().finish();
}

}  // namespace
}  // namespace torchada::trace

extern "C" __attribute__((visibility("default"))) void* torchada_companion_trace(
    const char* library, const char* function, void* address, int32_t* settled) {
  using namespace torchada::trace;
  // The tracer's own work called this, through the program's malloc. This call is not traced; later
  // ones are.
  const bool is_busy = torchada::thread_state().busy;
  *settled = is_busy ? 0 : 1;
  if (is_busy) return address;
  const Work work;
  is_used = true;
  torchada::at_end_of_threads(Recording::abandon_all);
  try {
    return Tracer::get().wrap(library, function, address, on_call);
  } catch (const std::exception&) {
    return address;
  }
}
