// Environment variables, all of them through secure_getenv: a setuid program reads none.
#pragma once

#include <stdint.h>

#include "src/shared/log_level.h"
#include "src/shared/text.h"

namespace torchada {

// The beginning of a value, so that the line that shows it has room for what is wrong.
using ShownValue = Text<80>;

// Value of `name`. Null if it is unset or empty, or if the program is setuid.
const char* environment(const char* name);

// Whether a variable that names a MUSA installation is binding. Ours are; the vendor's are hints.
bool is_order(const char* name);

LogLevel log_level();  // TORCHADA_LOG=off|warn|info|debug, warn by default.
bool strict();         // TORCHADA_STRICT=1: stop at the first unsupported call.
bool summary();        // TORCHADA_SUMMARY=1: count refused calls and list them at exit.

// Whether `name` is in the comma- or space-separated list TORCHADA_DISABLE.
bool disabled(const char* name);

// What a user may request for the first call of a function, one bit each.
enum Request : uint8_t {
  kDisable = 1,    // TORCHADA_DISABLE
  kOverride = 2,   // TORCHADA_OVERRIDE
  kLogRoutes = 4,  // TORCHADA_LOG=debug
  kSummary = 8,    // TORCHADA_SUMMARY
  kTrace = 16,     // TORCHADA_TRACE
};

// The requests in the environment, as a sum of bits.
unsigned requests();

// From now on, requests() returns what it returned last. Called once MUSA is open, by a call that
// asked for them: five walks through the environment would cost more than looking up a function.
void keep_requests();

}  // namespace torchada
