// Manual pages and completions, generated from the definitions of the subcommands.
#pragma once

#include <string>

#include "src/command/command.h"

namespace torchada::documents {

std::string man_page(const Command& command);  // torchada-NAME(1)
std::string man_page();                        // torchada(1)
std::string bash_completion();
std::string zsh_completion();

}  // namespace torchada::documents
