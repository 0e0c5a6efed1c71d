// Downloads by the tools that the user has: apt-get, curl or wget, and pip.
#pragma once

#include <string>

#include "src/command/recipes/recipe.h"

namespace torchada::recipes {

// The SHA-256 of a file. Empty if it cannot be read.
std::string sha256_of(const std::string& file);

// Brings it into the folder, where an interrupted download is gone on with. Returns the path of the
// file. `tools`: a folder for the state of apt-get. Throws Failure if no tool can.
std::string download(const Fetched& item, const std::string& folder, const std::string& tools);

}  // namespace torchada::recipes
