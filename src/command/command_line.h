// Parses words into an Invocation.
#pragma once

#include <string>
#include <vector>

#include "src/command/command.h"

namespace torchada {

struct Parsed {
  Invocation invocation;
  bool wants_help = false;  // --help or -h was among the subcommand's own words.
};

// Parses the words after the subcommand's name and sets the storage of its options. Options have
// the forms --name=value, --name value and -x; a single dash before a long name also works. Throws
// UsageError. Call it once in a process: it registers the options with gflags.
Parsed parse_words(const Command& command, const std::vector<std::string>& words);

}  // namespace torchada
