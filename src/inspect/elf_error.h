#pragma once

#include <stdexcept>
#include <string>

namespace torchada {

// The file cannot be read as ELF. what() starts with the path.
class ElfError : public std::runtime_error {
 public:
  ElfError(const std::string& path, const std::string& message)
      : std::runtime_error(path + ": " + message) {}
};

}  // namespace torchada
