// Folders of lib/ with libraries that not every program finds.
#pragma once

#include <filesystem>
#include <vector>

namespace torchada {

// Those that `torchada run` offers. `libraries` is our library directory.
std::vector<std::filesystem::path> folders_of_run(const std::filesystem::path& libraries);

}  // namespace torchada
