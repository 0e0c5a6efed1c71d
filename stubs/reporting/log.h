// Lines on stderr: "torchada: <library>: <text>". Each is one write(), so that lines of different
// threads and processes do not mix. With TORCHADA_LOG_FILE the lines go to that file, and stderr
// gets only the warnings.
#pragma once

#include "stubs/reporting/stderr_line.h"

namespace torchada {

// `text` may hold names from files and the environment: it is escaped by printable().
void log(LogLevel level, const Line& text);

// As written by log(): see src/shared/printable.h.
Line printable(const Line& text);

// For TORCHADA_STRICT: prints `text` at any log level and the backtrace of the calling thread, then
// calls abort().
[[noreturn]] void stop_with_backtrace(const Line& text);

}  // namespace torchada
