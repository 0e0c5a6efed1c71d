#include "src/command/requests.h"

#include <filesystem>

namespace torchada {

std::vector<Option> request_options(Requests* storage) {
  return {{"strict", Kind::kSwitch, "",
           "stop at the first unsupported call and print where it was made", &storage->strict},
          {"summary", Kind::kSwitch, "",
           "print at exit how often each unsupported call was made, and which CUDA libraries were "
           "not found",
           &storage->summary},
          {"log-file", Kind::kFile, "PATTERN",
           "append the libraries' messages to this file; %p stands for the process id",
           &storage->log_file}};
}

std::vector<EnvironmentVariable> requested_variables(const Requests& requests) {
  std::vector<EnvironmentVariable> out;
  if (requests.strict) out.push_back({"TORCHADA_STRICT", "1"});
  if (requests.summary) out.push_back({"TORCHADA_SUMMARY", "1"});
  if (!requests.log_file.empty()) {
    // Relative to the present directory, even if the program changes directory before its first
    // line.
    out.push_back({"TORCHADA_LOG_FILE", std::filesystem::absolute(requests.log_file)});
  }
  return out;
}

}  // namespace torchada
