// nvcc_name.h for code with the C++ library.
#pragma once

#include <string>
#include <vector>

#include "src/shared/nvcc_name.h"

namespace torchada::kernels {

// What clang may call what nvcc registers under the name, if it has internal linkage.
inline std::vector<std::string> clang_names(const std::string& name) {
  std::vector<std::string> out;
  std::string text(room_for_clang_name(name.c_str()), '\0');
  any_clang_name(name.c_str(), text.data(), text.size(), [&](std::size_t length) {
    out.push_back(text.substr(0, length));
    return false;
  });
  return out;
}

}  // namespace torchada::kernels
