#include "src/command/musa_files.h"

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "src/command/installation.h"
#include "src/inspect/elf_file.h"
#include "src/shared/backend_table.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

// Looks in the directory of libmusart first, then in the other directories of the installation.
std::string find_library(const std::string& root, const std::string& musart, const Soname* sonames,
                         const Files& files) {
  const auto in_folder = [&](const fs::path& folder) -> std::string {
    for (const Soname* soname = sonames; soname->name; ++soname) {
      if (files.has(folder / soname->name)) return folder / soname->name;
    }
    return "";
  };
  std::string found = in_folder(fs::path(musart).parent_path());
  for (const char* const* sub = torchada_backend_table.subfolders; found.empty() && *sub; ++sub) {
    found = in_folder(fs::path(root) / *sub);
  }
  return found;
}

MusaFile read_file(const std::string& path, const Files& files) {
  MusaFile out;
  out.path = path;
  try {
    for (const ElfExport& symbol : read_elf_file(files.here(path)).exports) {
      if (symbol.default_version) out.exports.insert(symbol.name);
    }
  } catch (const ElfError& error) {
    out.error = error.what();
  }
  return out;
}

int version_number(const std::string& text) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  if (std::sscanf(text.c_str(), "%d.%d.%d", &major, &minor, &patch) < 2) return 0;
  return major * 10000 + minor * 100 + patch;
}

}  // namespace

MusaFiles read_musa_files(const std::string& musart, const Files& files) {
  MusaFiles out;
  out.root = root_of(musart);
  out.sdk = sdk_version_of(out.root, files);
  out.version = version_number(out.sdk);
  out.is_stand_in = is_stand_in(musart, files);
  for (int i = 0; i < static_cast<int>(BackendLibrary::kCount); ++i) {
    const std::string name = torchada_backend_table.names[i];
    const bool is_runtime = i == static_cast<int>(kRuntimeLibrary);
    const std::string path =
        is_runtime ? musart
                   : find_library(out.root, musart, torchada_backend_table.sonames[i], files);
    if (!path.empty()) out.libraries[name.substr(std::strlen("lib"))] = read_file(path, files);
  }
  return out;
}

}  // namespace torchada
