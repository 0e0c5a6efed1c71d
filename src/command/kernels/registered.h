// torchada kernels list and check: the kernels that programs register, and which kernel library has
// each.
#pragma once

#include <string>
#include <vector>

#include "src/command/kernel_libraries.h"

namespace torchada::kernels {

struct RegisteredRequest {
  std::vector<std::string> paths;              // As torchada check takes them.
  const KernelLibraries* libraries = nullptr;  // Null: the kernels are only listed.
  bool only_missing = false;  // Names only those kernels, and the exit status tells of them.
  bool json = false;
};

// Writes the answer. Returns the exit status.
int report_registered(const RegisteredRequest& request);

}  // namespace torchada::kernels
