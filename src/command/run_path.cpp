#include "src/command/run_path.h"

#include <filesystem>
#include <string_view>

#include "src/shared/split.h"

namespace torchada {

std::vector<std::string> run_path(const std::string& file, const std::string& path) {
  const std::string parent = std::filesystem::path(file).parent_path();
  const std::string origin = parent.empty() ? "." : parent;
  std::vector<std::string> out = split(path, ":");
  for (std::string& folder : out) {
    for (std::size_t at = 0; (at = folder.find('$', at)) != std::string::npos;) {
      const std::string_view rest = std::string_view(folder).substr(at);
      std::size_t length = 0;
      for (const std::string_view word : {"${ORIGIN}", "$ORIGIN"}) {
        if (rest.starts_with(word)) length = word.size();
      }
      if (length != 0) folder.replace(at, length, origin);
      at += length != 0 ? origin.size() : 1;  // `origin` may have the word in a name.
    }
  }
  return out;
}

}  // namespace torchada
