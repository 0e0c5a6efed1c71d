// What the module prints: whole lines on stderr, which begin with "torchada: audit: ".
#pragma once

#include "src/shared/log_level.h"
#include "src/shared/text.h"

namespace torchada {

// Reads TORCHADA_LOG.
void read_log_level();

// Prints a line if the level is switched on, a warning only if no other rank of the node has.
void say(LogLevel level, const Text<2048>& line);

// Prints a line that the user asked for, whatever TORCHADA_LOG is.
void say_always(const Text<2048>& line);

// A variable of the environment, or null if it is unset or empty. Programs with raised rights read
// none.
const char* environment(const char* name);

// Whether a switch such as TORCHADA_SUMMARY is on: set to anything but an empty value and 0.
bool is_on(const char* name);

}  // namespace torchada
