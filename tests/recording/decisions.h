// What the tables decide for each export, as list_decisions.cpp prints it.
#pragma once

#include <string>
#include <vector>

namespace recording {

struct Decision {
  std::string cuda;
  // direct, adapted, emulated, unsupported, no_image; guarded if a direct one first looks
  // into a struct.
  std::string decision;
  std::string musa;     // Empty if the call leads to no MUSA function.
  std::string returns;  // "?" if no prototype is known.
};

// The decisions of the library `label`, in file order. Throws std::runtime_error.
std::vector<Decision> read_decisions(const std::string& file, const std::string& label);

}  // namespace recording
