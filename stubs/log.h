// Lines on stderr: "torchada: <library>: <text>", each with one write() so that threads and
// processes do not mix within a line.
#pragma once

#include "environment.h"
#include "text.h"

namespace torchada {

void log(LogLevel level, const Line& text);

// The backtrace of the calling thread on stderr, then abort(). For TORCHADA_STRICT.
[[noreturn]] void stop_with_backtrace();

}  // namespace torchada
