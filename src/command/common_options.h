// Options shared by several subcommands.
#pragma once

#include <string>
#include <vector>

#include "src/command/command.h"

namespace torchada {

// --format. The first format is the default.
Option format_option(std::string* storage, const std::vector<std::string>& formats);

// --abi and --library, with the majors and libraries of this build.
Option abi_option(std::string* storage, const std::string& help);
Option library_option(std::string* storage, const std::string& help);

}  // namespace torchada
