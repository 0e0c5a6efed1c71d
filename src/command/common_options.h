// Options that several subcommands have.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace torchada {

// --format, with the first format as the default.
Option format_option(std::string* storage, const std::vector<std::string>& formats);

// --abi=11|12|13
Option abi_option(std::string* storage, const std::string& help);

}  // namespace torchada
