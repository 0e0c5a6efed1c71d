// printable.h for std::string.
#pragma once

#include <string>
#include <string_view>

#include "src/shared/printable.h"

namespace torchada {

inline std::string printable(std::string_view text) {
  std::string out;
  append_printable(&out, text.data(), text.size());
  return out;
}

}  // namespace torchada
