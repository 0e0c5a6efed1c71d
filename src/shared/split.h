// Lists in one text, such as search paths.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace torchada {

// The elements of `list` that are not empty. Each character of `separators` separates two.
inline std::vector<std::string> split(std::string_view list, std::string_view separators) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find_first_of(separators, at), list.size());
    if (end > at) out.emplace_back(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace torchada
