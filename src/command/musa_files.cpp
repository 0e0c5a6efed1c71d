#include "musa_files.h"

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "elf_file.h"
#include "installation.h"
#include "table.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

// In the folder of libmusart first, then in the other folders of the installation.
std::string find_library(const MusaFiles& files, const std::string& musart, const Soname* sonames) {
  std::error_code error;
  const auto in_folder = [&](const fs::path& folder) -> std::string {
    for (const Soname* soname = sonames; soname->name; ++soname) {
      if (fs::exists(folder / soname->name, error)) return folder / soname->name;
    }
    return "";
  };
  std::string found = in_folder(fs::path(musart).parent_path());
  for (const char* const* sub = torchada_backend_table.subfolders; found.empty() && *sub; ++sub) {
    found = in_folder(fs::path(files.root) / *sub);
  }
  return found;
}

MusaFile read_file(const std::string& path) {
  MusaFile out;
  out.path = path;
  try {
    for (const ElfExport& symbol : read_elf_file(path).exports) {
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

MusaFiles read_musa_files(const std::string& musart) {
  MusaFiles out;
  out.root = root_of(musart);
  out.sdk = sdk_version_of(out.root);
  out.version = version_number(out.sdk);
  out.is_stand_in = is_stand_in(musart);
  for (int i = 0; i < static_cast<int>(BackendLibrary::kCount); ++i) {
    const std::string name = torchada_backend_table.names[i];
    const bool is_runtime = i == static_cast<int>(BackendLibrary::kMusart);
    const std::string path =
        is_runtime ? musart : find_library(out, musart, torchada_backend_table.sonames[i]);
    if (!path.empty()) out.libraries[name.substr(std::strlen("lib"))] = read_file(path);
  }
  return out;
}

}  // namespace torchada
