// Starts an unmodified program so that it finds our libraries. Shared by `run` and `trace`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/command/backend_choice.h"
#include "src/command/command.h"
#include "src/command/run_environment.h"

namespace torchada {

struct StartOptions {
  Offer offer;
  std::string via = "auto";
  bool verbose = false;
  BackendOptions backend;
};

// --abi, --only, an option for each library that is offered on request, --via, --backend,
// --musa-root and --verbose.
std::vector<Option> start_options(StartOptions* storage);

// Replaces this process with the program of `invocation`, which must not be empty. Sets `more`
// variables, and calls `before` just before the replacement if the program was found. On failure,
// prints a line on stderr and returns the exit status. Throws UsageError, and what `before` throws.
int start_program(const StartOptions& options, const Invocation& invocation,
                  const std::vector<EnvironmentVariable>& more,
                  const std::function<void()>& before = nullptr);

}  // namespace torchada
