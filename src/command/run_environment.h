// The variables with which a program's loader finds our libraries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/command/offered_libraries.h"
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

// What the user asked for that only the audit module can do.
struct Wishes {
  bool summary = false;     // A summary, which lists libraries that were not found.
  bool one_major = false;   // Only one CUDA major (--abi).
  bool fewer = false;       // Only some libraries (--only),
  bool no_runtime = false;  // and not the CUDA runtime.
};

// Chooses how the program finds our libraries if the user did not choose.
Choice choose_via(const Program& program, const Wishes& wishes);

// Throws std::runtime_error if files are missing, or if a path cannot be part of a variable.
// Replaces what an outer `torchada run` has set.
std::vector<EnvironmentVariable> loader_variables(const std::filesystem::path& root,
                                                  const Offer& offer, Via via,
                                                  const Program& program);

// The devices that NVIDIA_VISIBLE_DEVICES chooses for a container, as CUDA's variable. Nothing if
// it chooses none, or if the program's user or Moore Threads' container runtime chose others.
std::optional<EnvironmentVariable> devices_of_container();

}  // namespace torchada
