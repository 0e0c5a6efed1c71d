#include "src/command/musa_files.h"

#include <elf.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "src/command/installation.h"
#include "src/command/run_path.h"
#include "src/shared/backend_table.h"
#include "src/shared/machine.h"
#include "src/shared/system_folders.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

#ifndef EM_LOONGARCH
constexpr unsigned EM_LOONGARCH = 258;  // Newer than glibc 2.31.
#endif

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

// The driver's library that the loader finds for libmusart: along libmusart's own path, then in the
// system's folders. ld.so.conf and LD_LIBRARY_PATH are not asked, because the files may be a
// container's.
std::string find_driver(const std::string& musart, const Soname* sonames, const Files& files) {
  std::vector<std::string> folders;
  try {
    const ElfFile library = read_elf_file(files.here(musart));
    folders = run_path(musart, library.runpath.value_or(library.rpath.value_or("")));
  } catch (const ElfError&) {
    return "";  // Reported with the file itself.
  }
  for (const SystemFolder& folder : kSystemFolders) folders.emplace_back(folder.path);
  for (const std::string& folder : folders) {
    for (const Soname* soname = sonames; soname->name; ++soname) {
      const std::string path = folder + "/" + soname->name;
      if (files.has(path)) return path;
    }
  }
  return "";
}

MusaFile read_file(const std::string& path, const Files& files) {
  MusaFile out;
  out.path = path;
  try {
    const ElfFile library = read_elf_file(files.here(path));
    const std::string why = why_not_loadable(library);
    if (!why.empty()) {
      out.error = path + ": " + why;
      return out;
    }
    for (const ElfExport& symbol : library.exports) {
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

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "32-bit x86";
    case EM_RISCV:
      return "RISC-V";
    case EM_LOONGARCH:
      return "LoongArch";
    default:
      return "ELF machine " + std::to_string(machine);
  }
}

}  // namespace

std::string why_not_loadable(const ElfFile& library) {
  if (library.bits != 64) return "is not a 64-bit file";
  if (library.big_endian) return "is a big-endian file";
  if (library.machine == kElfMachine) return "";
  return "is built for " + machine_name(library.machine) + ", not for " + TORCHADA_MACHINE;
}

MusaFiles read_musa_files(const std::string& musart, const Files& files) {
  MusaFiles out;
  out.root = root_of(musart);
  out.sdk = sdk_version_of(out.root, files);
  out.version = version_number(out.sdk);
  out.is_stand_in = is_stand_in(musart, files);
  for (int i = 0; i < static_cast<int>(BackendLibrary::kCount); ++i) {
    const std::string name = torchada_backend_table.names[i];
    const bool is_runtime = i == static_cast<int>(kRuntimeLibrary);
    const bool is_driver = torchada_backend_table.homes[i] == Home::kDriver;
    const Soname* const sonames = torchada_backend_table.sonames[i];
    const std::string path = is_runtime  ? musart
                             : is_driver ? find_driver(musart, sonames, files)
                                         : find_library(out.root, musart, sonames, files);
    if (!path.empty()) out.libraries[name.substr(std::strlen("lib"))] = read_file(path, files);
  }
  return out;
}

}  // namespace torchada
