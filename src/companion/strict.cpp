// TORCHADA_STRICT: stops the program at a call that cannot be served, and says where that is.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "src/companion/native_stack.h"
#include "src/companion/output.h"
#include "src/companion/python_stack.h"
#include "src/shared/companion_interface.h"

namespace torchada {
namespace {

constexpr unsigned kPatienceWithBacktrace =
    30;  // Seconds; a backtrace takes one, or three for Python's lock.

std::atomic<long> stopping{0};  // The thread that stops the program.

// One thread stops the program. Others that arrive meanwhile wait for it, so that its output stays
// readable. False if this thread is already stopping it: something in its own backtrace called
// CUDA.
bool is_first() {
  const long own = syscall(SYS_gettid);
  long expected = 0;
  if (stopping.compare_exchange_strong(expected, own)) return true;
  if (expected != own) sleep(kPatienceWithBacktrace);
  return false;
}

}  // namespace
}  // namespace torchada

extern "C" void torchada_companion_backtrace(const char* library, const char* text,
                                             const void* inside) try {
  if (!torchada::is_first()) return;
  const auto say = [library](const std::string& line) { torchada::say(library, line); };
  torchada::say(library, text, std::string(library) + ": ");
  say("stopped by TORCHADA_STRICT before the call returns; call stack, innermost first:");
  torchada::say_native_stack(inside, say);
  torchada::say_python_stack(say);
} catch (...) {
  // No memory. The program ends anyway.
}
