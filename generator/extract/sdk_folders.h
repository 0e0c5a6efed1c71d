// Where the headers and libraries of an unpacked SDK, toolkit or wheel lie.
#pragma once

#include <string>
#include <vector>

namespace torchada {

struct SdkFolders {
  std::vector<std::string> include;
  std::vector<std::string> library;
};

// Throws ExtractError for a root that does not exist, or when no root has an include folder.
SdkFolders find_sdk_folders(const std::vector<std::string>& roots);

// The file LIBRARY.so.* (or LIBRARY.so) of the folders; links and equal copies count once. Empty
// where there is none; throws ExtractError where several different ones exist.
std::string find_library(const std::string& library, const std::vector<std::string>& folders);

}  // namespace torchada
