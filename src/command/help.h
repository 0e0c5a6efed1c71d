// The texts of --help, from the definitions of the subcommands.
#pragma once

#include <string>
#include <vector>

#include "src/command/command.h"

namespace torchada {

std::string help_of(const Command& command);
std::string help_of_all();
// "libcudart, libcublas and libnccl"
std::string replaced_libraries();
std::string usage_line(const Command& command);

// "--format=text|json", "--musa-root=DIR", "-v, --verbose".
std::string written_option(const Option& option);
// The help text, with the default if the option has one.
std::string explained_option(const Option& option);

// "a, b or c".
std::string listed(const std::vector<std::string>& items);

// The options of every subcommand.
extern const char kHelpOption[];

}  // namespace torchada
