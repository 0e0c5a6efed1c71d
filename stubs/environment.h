// Environment variables, all of them through secure_getenv: a setuid program reads none.
#pragma once

#include "src/shared/log_level.h"

namespace torchada {

// Value of `name`. Null if it is unset or empty, or if the program is setuid.
const char* environment(const char* name);

// Whether a variable that names a MUSA installation is binding. Ours are; the vendor's are hints.
bool is_order(const char* name);

LogLevel log_level();  // TORCHADA_LOG=off|warn|info|debug, warn by default.
bool strict();         // TORCHADA_STRICT=1: stop at the first unsupported call.
bool summary();        // TORCHADA_SUMMARY=1: count refused calls and list them at exit.

// Whether `name` is in the comma- or space-separated list TORCHADA_DISABLE.
bool disabled(const char* name);

}  // namespace torchada
