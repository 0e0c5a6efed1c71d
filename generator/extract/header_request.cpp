#include "generator/extract/header_request.h"

#include <filesystem>

namespace torchada {

std::string find_header(const std::string& header, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const std::filesystem::path path = std::filesystem::path(folder) / header;
    if (std::filesystem::is_regular_file(path)) return path;
  }
  return "";
}

}  // namespace torchada
