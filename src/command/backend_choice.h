// Which MUSA a subcommand works with: the one that the libraries would use, or the one that the
// user chose.
#pragma once

#include <string>
#include <vector>

#include "src/command/command.h"

namespace torchada {

struct BackendOptions {
  std::string backend = "auto";
  std::string musa_root;
};

// --backend and --musa-root.
std::vector<Option> backend_options(BackendOptions* storage);

enum class Backend { kMusa, kStandIn, kNone };

struct BackendChoice {
  Backend backend = Backend::kNone;
  std::string musart;  // The libmusart to use. Empty for kNone.
  // For TORCHADA_MUSA_PATH. Empty if the libraries find it without.
  std::string root;
  bool asked = false;  // By an option.
};

// A device file of an NVIDIA GPU of this machine. Empty if it has none.
std::string nvidia_gpu();

// Throws UsageError if an option cannot be met. --backend=musa gives kNone if no MUSA is found.
BackendChoice choose_backend(const BackendOptions& options, const Invocation& invocation);

}  // namespace torchada
