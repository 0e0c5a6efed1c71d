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
  std::string kernels;
  std::string kernels_from;
  std::string record_kernels;
};

// --strict, --summary, --log-file, --kernels, --kernels-from and --record-kernels.
std::vector<Option> request_options(Requests* storage);

// The variables to set for these requests. Throws UsageError if a kernel library or a recipe's file
// is missing.
std::vector<EnvironmentVariable> requested_variables(const Requests& requests);

}  // namespace torchada
