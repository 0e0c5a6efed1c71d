// The subcommands. Each takes the words after its name and returns the exit status.
#pragma once

#include <string>
#include <vector>

namespace torchada {

constexpr int kExitOk = 0;
constexpr int kExitUsage = 2;
constexpr int kExitNotExecutable = 126;  // As shells do.
constexpr int kExitNotFound = 127;

int run_command(std::vector<std::string> words);

}  // namespace torchada
