// What the fake libraries ask of the companion, found by name with dlsym (stubs/companion.h). Plain
// C types only: the two sides may be of different compilers, and the companion's C++ library is
// hidden.
#pragma once

#include <stdint.h>

#pragma GCC visibility push(default)
extern "C" {

// Raised with every change of what is declared here; a library of another number does not use it.
inline constexpr int32_t kCompanionInterface = 1;

int32_t torchada_companion_interface();

// Appends a line with time, process and thread to the file that TORCHADA_LOG_FILE names. `level` is
// a torchada::LogLevel. 0 where it could not be written, which is said once on stderr.
int32_t torchada_companion_log(int32_t level, const char* library, const char* text);

// Says `text` on stderr (and in the file), and where the calling thread is: its functions and, in a
// process with Python, its Python functions. `inside` is an address in the library that asks:
// frames of that library are left out. The first thread that comes returns at once, others much
// later: the caller is about to end the process.
void torchada_companion_backtrace(const char* library, const char* text, const void* inside);

// From now on the process says at its exit what was refused, even if that is nothing.
void torchada_companion_summarize();

// Counts one call that was refused; `text` is its line. Calls of one library and text are one row.
void torchada_companion_refused(const char* library, const char* text);

// What a slot shall hold instead of `address`, the way of `function` of `library` (a SONAME; both
// texts live on): a function that records each call and passes it on. `address` itself where its
// calls are not traced; `settled` is 0 where the slot must not keep that.
void* torchada_companion_trace(const char* library, const char* function, void* address,
                               int32_t* settled);
}
#pragma GCC visibility pop
