// The variables with which a program's loader finds our libraries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/command/program.h"

namespace torchada {

enum class Via { kPath, kPreload, kAudit };

struct Choice {
  Via via = Via::kPath;
  std::string reason;
};

struct EnvironmentVariable {
  std::string name;
  std::optional<std::string> value;  // No value: unset the variable.
};

// Chooses how the program finds our libraries if the user did not choose. `summary`: the user asked
// for a summary.
Choice choose_via(const Program& program, bool summary);

// Throws std::runtime_error if files are missing, or if a path cannot be part of a variable. `abi`
// is the only CUDA major to offer, or empty for all. Replaces what an outer `torchada run` has set.
std::vector<EnvironmentVariable> loader_variables(const std::filesystem::path& root,
                                                  const std::string& abi, Via via,
                                                  const Program& program);

}  // namespace torchada
