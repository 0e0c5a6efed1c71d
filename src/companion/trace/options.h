// What TORCHADA_TRACE and TORCHADA_TRACE_FILTER ask for.
#pragma once

#include <string>
#include <vector>

namespace torchada::trace {

enum class Format { kNone, kText, kJson, kChrome };

struct Options {
  Format format = Format::kNone;  // Of records for calls; kNone: no records, only counters.
  bool summary = false;           // Calls, errors and times of each function at the end.
  bool memory = false;            // At the end, memory that was allocated and not freed.
  // Also write a record when a call begins: shows calls that never end.
  bool begin = false;
  bool status = false;             // End with status 3 if records could not be written.
  std::string file;                // "%p" stands for the process. Empty: standard error.
  std::vector<std::string> names;  // Patterns for function names; empty: all functions.
  std::string complaint;           // About unknown words; may be empty.
};

// Reads TORCHADA_TRACE=1, or WORD[,WORD...][:FILE]. Reads nothing in a setuid program.
Options read_options();

}  // namespace torchada::trace
