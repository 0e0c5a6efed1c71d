// The variables under which a program's loader finds our libraries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "program.h"

namespace torchada {

enum class Via { kPath, kPreload, kAudit };

struct Choice {
  Via via = Via::kPath;
  std::string reason;
};

struct Variable {
  std::string name;
  std::optional<std::string> value;  // None: to be unset.
};

// How the program is to be led to our libraries where the user does not say.
Choice choose_via(const Program& program);

// Throws std::runtime_error where files are missing, or a path cannot be written into a variable.
// `abi` is the one CUDA major to offer, or empty for all. What an outer `torchada run` has set is
// replaced.
std::vector<Variable> loader_variables(const std::filesystem::path& root, const std::string& abi,
                                       Via via, const Program& program);

}  // namespace torchada
