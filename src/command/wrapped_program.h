// Which program a command starts in the end, if it is a wrapper: env, nice, a shell script,
// python -m, torchrun, conda run, uv run, a shim of pyenv. Files are read; nothing is run.
#pragma once

#include <string>
#include <vector>

namespace torchada {

struct Unwrapped {
  std::vector<std::string> words;     // The program with its arguments.
  std::vector<std::string> wrappers;  // What stood before it, from outside: "env", "/opt/start.sh".
  // Why what `words` starts is not known, as a sentence about its first word. Empty if it is known.
  std::string unknown;
};

// Also changes the environment of this process as the wrappers do before they start the program.
Unwrapped unwrap(const std::vector<std::string>& words);

}  // namespace torchada
