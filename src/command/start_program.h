// Starting an unmodified program so that it finds our libraries: what `run` and `trace` have in
// common.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backend_choice.h"
#include "command.h"
#include "run_environment.h"

namespace torchada {

struct StartOptions {
  std::string abi;
  std::string via = "auto";
  bool verbose = false;
  BackendOptions backend;
};

// --abi, --via, --backend, --musa-root and --verbose.
std::vector<Option> start_options(StartOptions* storage);

// Becomes the program of `invocation`, which must not be empty, with `more` variables; calls
// `before` just before that, and only where the program was found. Returns only where that fails:
// the exit status, after a line on stderr. Throws UsageError, and what `before` throws.
int start_program(const StartOptions& options, const Invocation& invocation,
                  const std::vector<Variable>& more, const std::function<void()>& before = nullptr);

}  // namespace torchada
