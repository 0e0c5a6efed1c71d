#include "generator/extract/sdk_folders.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "generator/extract/clang_headers.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

void add_folder(const fs::path& path, std::vector<std::string>& folders) {
  if (!fs::is_directory(path)) return;
  const bool known = std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return fs::equivalent(folder, path);
  });
  if (!known) folders.push_back(path);
}

// Subfolders sorted by name, because the order in which file systems list them differs.
std::vector<fs::path> subfolders(const fs::path& path) {
  std::vector<fs::path> out;
  if (!fs::is_directory(path)) return out;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_directory()) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

// True for links to one file and for copies of it: an archive may contain copies instead of links.
bool same_content(const fs::path& left, const fs::path& right) {
  if (fs::equivalent(left, right)) return true;
  if (fs::file_size(left) != fs::file_size(right)) return false;
  std::ifstream first(left, std::ios::binary);
  std::ifstream second(right, std::ios::binary);
  std::vector<char> a(1 << 20);
  std::vector<char> b(a.size());
  while (first && second) {
    first.read(a.data(), static_cast<std::streamsize>(a.size()));
    second.read(b.data(), static_cast<std::streamsize>(b.size()));
    if (first.gcount() != second.gcount()) return false;
    if (!std::equal(a.begin(), a.begin() + first.gcount(), b.begin())) return false;
  }
  return first.eof() && second.eof();
}

bool is_library_file(const std::string& name, const std::string& library) {
  const std::string start = library + ".so";
  if (!name.starts_with(start)) return false;
  return name.find_first_not_of(".0123456789", start.size()) == std::string::npos;
}

}  // namespace

SdkFolders find_sdk_folders(const std::vector<std::string>& roots) {
  SdkFolders out;
  for (const std::string& name : roots) {
    const fs::path root = name;
    if (!fs::is_directory(root)) throw ExtractError(name + ": not a directory");
    // A toolkit or SDK, its packages that have a folder of their own, and Python wheels.
    std::vector<fs::path> prefixes = {root, root / "targets" / "x86_64-linux", root / "mudnn",
                                      root / "mccl"};
    for (const fs::path& package : subfolders(root / "nvidia")) prefixes.push_back(package);
    const std::size_t known = out.include.size() + out.library.size();
    for (const fs::path& prefix : prefixes) {
      add_folder(prefix / "include", out.include);
      add_folder(prefix / "lib", out.library);
      add_folder(prefix / "lib64", out.library);
    }
    // A driver's libraries lie in a folder of the system.
    if (out.include.size() + out.library.size() == known) add_folder(root, out.library);
  }
  if (out.include.empty()) throw ExtractError("no include directory in the given directories");
  return out;
}

std::string find_library(const std::string& library, const std::vector<std::string>& folders) {
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (!is_library_file(entry.path().filename(), library) || !entry.is_regular_file()) continue;
      const bool known = std::any_of(found.begin(), found.end(), [&](const std::string& file) {
        return same_content(file, entry.path());
      });
      if (!known) found.push_back(fs::canonical(entry.path()));
    }
  }
  if (found.empty()) return "";
  if (found.size() > 1) {
    std::sort(found.begin(), found.end());
    throw ExtractError("several different " + library + ": " + found[0] + ", " + found[1]);
  }
  return found.front();
}

}  // namespace torchada
