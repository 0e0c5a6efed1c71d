// From words to an Invocation.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace torchada {

struct Parsed {
  Invocation invocation;
  bool wants_help = false;  // --help or -h stood among the subcommand's own words.
};

// Parses the words after the subcommand's name and sets the storage of its options. Options are
// --name=value, --name value, -x; one dash before a name does as well. Throws UsageError. To be
// called once in a process: it registers the options with gflags.
Parsed parse_words(const Command& command, const std::vector<std::string>& words);

}  // namespace torchada
