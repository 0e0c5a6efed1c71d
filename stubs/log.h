// Lines on stderr: "torchada: <library>: <text>", each with one write() so that threads and
// processes do not mix within a line. With TORCHADA_LOG_FILE they are in that file, and only
// warnings on stderr as well.
#pragma once

#include "environment.h"
#include "text.h"

namespace torchada {

void log(LogLevel level, const Line& text);

// For TORCHADA_STRICT: `text` at any level, the backtrace of the calling thread, then abort().
[[noreturn]] void stop_with_backtrace(const Line& text);

}  // namespace torchada
