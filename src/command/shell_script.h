// Shell scripts that set variables and start one program.
#pragma once

#include <string>
#include <vector>

namespace torchada {

struct ShellCommand {
  std::vector<std::string> words;  // Of the program, expanded.
  std::string unknown;             // Why it is not known. Empty if it is.
};

// `arguments` are $0, $1 and so on. Exported variables are set in this process. Whatever goes
// beyond assignments, the usual settings and one command makes it unknown.
ShellCommand command_of_script(const std::string& text, const std::vector<std::string>& arguments);

}  // namespace torchada
