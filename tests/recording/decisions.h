// What the tables decide for each export, as list_decisions.cpp prints it.
#pragma once

#include <string>
#include <vector>

namespace recording {

struct Decision {
  std::string cuda;
  // direct, adapted, pending, emulated, unsupported, no_image; guarded for a direct one that looks
  // into a struct first.
  std::string decision;
  std::string musa;     // Empty where the call leads to no MUSA function.
  std::string returns;  // "?" where no prototype is known.
};

// Those of the library `label`, in the order of the file. Throws std::runtime_error.
std::vector<Decision> read_decisions(const std::string& file, const std::string& label);

}  // namespace recording
