// What a user requests from the libraries for one run: options that set environment variables.
#pragma once

#include <string>
#include <vector>

#include "src/command/command.h"
#include "src/command/run_environment.h"

namespace torchada {

struct Requests {
  bool strict = false, summary = false;
  std::string log_file;
};

// --strict, --summary and --log-file.
std::vector<Option> request_options(Requests* storage);

// The variables to set for these requests.
std::vector<EnvironmentVariable> requested_variables(const Requests& requests);

}  // namespace torchada
