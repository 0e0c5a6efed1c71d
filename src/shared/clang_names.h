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
  for (unsigned variant = 0; variant < kNameVariants; ++variant) {
    const std::size_t length = clang_name(name.c_str(), variant, text.data(), text.size());
    if (length != 0) out.push_back(text.substr(0, length));
  }
  return out;
}

}  // namespace torchada::kernels
