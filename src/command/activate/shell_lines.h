// Lines for a POSIX shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchada::activate {

// Puts `folder` at the front of LD_LIBRARY_PATH, unless the variable contains it or it does not
// exist. Throws UsageError if the path cannot be part of LD_LIBRARY_PATH.
std::string lines_that_add(const std::filesystem::path& folder);

// Removes `folders` from LD_LIBRARY_PATH, and unsets the variable if nothing is left.
std::string lines_that_remove(const std::vector<std::filesystem::path>& folders);

}  // namespace torchada::activate
