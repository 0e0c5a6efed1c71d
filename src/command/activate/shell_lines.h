// What a POSIX shell has to be told.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchada::activate {

// Puts `folder` at the front of LD_LIBRARY_PATH, unless it is in there or does not exist. Throws
// UsageError where the path cannot stand in LD_LIBRARY_PATH.
std::string lines_that_add(const std::filesystem::path& folder);

// Takes `folders` out of LD_LIBRARY_PATH, and unsets it where nothing is left.
std::string lines_that_remove(const std::vector<std::filesystem::path>& folders);

}  // namespace torchada::activate
