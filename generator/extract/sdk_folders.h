// Finds the headers and libraries of an unpacked SDK, toolkit or wheel.
#pragma once

#include <string>
#include <vector>

namespace torchada {

struct SdkFolders {
  std::vector<std::string> include;
  std::vector<std::string> library;
};

// Throws ExtractError if a root does not exist or if no root has an include folder.
SdkFolders find_sdk_folders(const std::vector<std::string>& roots);

// The file LIBRARY.so.* (or LIBRARY.so) in the folders; links and equal copies count once. Empty if
// none exists. Throws ExtractError if several different ones exist.
std::string find_library(const std::string& library, const std::vector<std::string>& folders);

}  // namespace torchada
