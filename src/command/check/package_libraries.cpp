#include "src/command/check/package_libraries.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "src/command/check/module_path.h"
#include "src/command/check/other_libraries.h"
#include "src/inspect/elf_file.h"

namespace torchada::check {
namespace {

namespace fs = std::filesystem;

// Of one directory with everything below it. The largest packages have a tenth of it.
constexpr std::size_t kMostEntries = 200000;

// The package's directory, and those that auditwheel and others put beside it: package.libs.
std::vector<std::string> folders_of(const std::string& package) {
  std::vector<std::string> out = {package};
  const fs::path path(package);
  const std::string name = path.filename().string() + ".";
  std::error_code error;
  for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string other = entry->path().filename().string();
    if ((other.starts_with(name) || other.starts_with("." + name)) && other.ends_with(".libs")) {
      out.push_back(entry->path().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

const std::map<std::string, std::string>& PackageLibraries::libraries_below(
    const std::string& folder) {
  const auto [place, is_new] = below_.try_emplace(folder);
  if (!is_new) return place->second;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++seen > kMostEntries) break;
    const std::string name = entry->path().filename().string();
    if (name.find(".so") == std::string::npos || !entry->is_regular_file(error)) continue;
    std::string& path = place->second[name];
    // The order on disk must not decide.
    if (path.empty() || entry->path().string() < path) path = entry->path().string();
  }
  return place->second;
}

const std::string& PackageLibraries::library_with_cuda(const std::string& module,
                                                       const Standings& standings, int abi) {
  const std::string package = ModulePath({}).package_of(module);
  const auto [place, is_new] = with_cuda_.try_emplace(package);
  std::string& out = place->second;
  if (!is_new || package.empty()) return out;
  const auto is_cuda = [&](const std::string& name) {
    return find_other(name) != nullptr || standings.named(name, abi).ours;
  };
  for (const std::string& folder : folders_of(package)) {
    for (const auto& [name, path] : libraries_below(folder)) {
      try {
        const std::vector<std::string> needed = read_elf_file(path).needed;
        const auto cuda = std::find_if(needed.begin(), needed.end(), is_cuda);
        if (cuda == needed.end()) continue;
        out = path + ", which needs " + *cuda;
        return out;
      } catch (const ElfError&) {
        continue;  // A linker script, or damaged.
      }
    }
  }
  return out;
}

}  // namespace torchada::check
