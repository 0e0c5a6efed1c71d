// Options that several subcommands have.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace torchada {

// --format, with the first format as the default.
Option format_option(std::string* storage, const std::vector<std::string>& formats);

// --abi and --library, with the majors and libraries that are built.
Option abi_option(std::string* storage, const std::string& help);
Option library_option(std::string* storage, const std::string& help);

}  // namespace torchada
