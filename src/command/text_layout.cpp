#include "src/command/text_layout.h"

#include "src/shared/printable_string.h"

namespace torchada {

std::string joined(const std::vector<std::string>& items, const char* separator) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : separator) + item;
  return out;
}

std::string line(int depth, const std::string& text) {
  return std::string(static_cast<std::size_t>(2 * depth), ' ') + printable(text) + "\n";
}

}  // namespace torchada
