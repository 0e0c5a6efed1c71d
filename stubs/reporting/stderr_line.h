// Lines on stderr, without the log file, which needs the companion. For log.h and companion.h.
#pragma once

#include "src/shared/text.h"
#include "stubs/system/environment.h"

namespace torchada {

// For a function that builds a Line and is called where a library is opened. Inlined, its Line
// would lie on the stack beneath dlopen, which needs most of a small stack.
#define TORCHADA_APART __attribute__((noinline))

// "torchada: <library>: <text>", at any log level.
void print_line(const Line& text);

// A warning, if the log level asks for it and no other rank of the node has printed it.
void warn(const Line& text);

// Whether another rank of the node has printed this warning. Lines that TORCHADA_LOG asks for come
// from every rank.
bool is_repeated(LogLevel level, const Line& text);

}  // namespace torchada
