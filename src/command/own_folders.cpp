#include "src/command/own_folders.h"

#include "generated/own_libraries.h"

namespace torchada {

std::vector<std::filesystem::path> folders_of_run(const std::filesystem::path& libraries) {
  std::vector<std::filesystem::path> out;
  for (const OwnLibrary& library : kOwnLibraries) {
    if (library.offered == Offered::kByRun) out.push_back(libraries / library.folder);
  }
  return out;
}

}  // namespace torchada
