// What TORCHADA_TRACE and TORCHADA_TRACE_FILTER ask for.
#pragma once

#include <string>
#include <vector>

namespace torchada::trace {

enum class Format { kNone, kText, kJson, kChrome };

struct Options {
  Format format = Format::kNone;   // Of the calls; kNone: only counters.
  bool summary = false;            // Calls, errors and times of each function at the end.
  bool memory = false;             // What was allocated and not freed, at the end.
  bool begin = false;              // Also a record when a call begins: shows what never ends.
  std::string file;                // "%p" stands for the process. Empty: standard error.
  std::vector<std::string> names;  // Patterns of functions; empty: all.
  std::string complaint;           // About words that are not known; empty where there are none.
};

// TORCHADA_TRACE=1, or WORD[,WORD...][:FILE]; of setuid programs none is read.
Options read_options();

}  // namespace torchada::trace
