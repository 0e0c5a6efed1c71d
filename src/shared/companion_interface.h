// The functions of the companion that the replacement libraries use. They find them by name with
// dlsym (stubs/reporting/companion.h). Plain C types only: the two sides may come from different
// compilers, and the companion's C++ library is hidden.
#pragma once

#include <stdint.h>

namespace torchada::profiler {
struct Engine;
struct Facts;
}  // namespace torchada::profiler

namespace torchada {

// How a request for a kernel or a variable ended.
enum class KernelOutcome : int32_t { kMade, kKept, kFailed };

}  // namespace torchada

#pragma GCC visibility push(default)
extern "C" {

// Raise it with every change of the declarations here; a library with another number does not use
// this companion.
inline constexpr int32_t kCompanionInterface = 4;

int32_t torchada_companion_interface();

// Appends a line with time, process and thread to the file that TORCHADA_LOG_FILE names. `level` is
// a torchada::LogLevel. Returns 0 if the line could not be written, which is reported once on
// stderr.
int32_t torchada_companion_log(int32_t level, const char* library, const char* text);

// Prints `text` on stderr (and in the file), and where the calling thread is: its functions and, in
// a process with Python, its Python functions. `inside` is an address in the calling library, whose
// frames are left out. Returns at once in the first thread that calls it, and much later in others,
// because the caller is about to end the process.
void torchada_companion_backtrace(const char* library, const char* text, const void* inside);

// From now on the process lists at exit what was refused, even if nothing was.
void torchada_companion_summarize();

// Counts one refused call; `text` is its line. Calls with the same library and text share a row.
void torchada_companion_refused(const char* library, const char* text);

// Sends a request for a kernel or a variable to the process that makes them with `recipe`
// (TORCHADA_KERNELS_FROM), which is started if need be. Returns a descriptor from which the answer
// can be read, one line, and which the caller closes; or a negative number of errno.
int32_t torchada_companion_ask_for_kernel(const char* recipe, const char* request, uint64_t size);

// Counts one answer for the summary. `outcome` is a torchada::KernelOutcome; `milliseconds` is how
// long it took to make it.
void torchada_companion_count_kernel(int32_t outcome, int64_t milliseconds);

// What the slot of `function` of `library` (a SONAME) shall hold instead of `address`: a function
// that records each call and passes it on. Both texts must stay valid. Returns `address` itself if
// its calls are not traced. Sets `settled` to 0 if the slot must not keep the result.
void* torchada_companion_trace(const char* library, const char* function, void* address,
                               int32_t* settled);

// The same while a profiler sees the calls of CUDA's runtime and driver.
void* torchada_companion_observe(const char* library, const char* function, void* address,
                                 int32_t* settled);

// Our CUPTI tells what it knows, and gets what does its work. Null if the CUPTI of another CUDA
// major came first. What `facts` points at is copied.
const torchada::profiler::Engine* torchada_companion_profiler(
    const torchada::profiler::Facts* facts);
}
#pragma GCC visibility pop
