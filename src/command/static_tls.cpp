#include "src/command/static_tls.h"

#include <filesystem>
#include <set>
#include <stdexcept>
#include <vector>

#include "src/command/variables.h"
#include "src/inspect/elf_file.h"
#include "src/inspect/mapped_file.h"
#include "src/shared/split.h"
#include "src/shared/system_folders.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTunable = "glibc.rtld.optional_static_tls";
// glibc 2.31 keeps 1664 bytes free and later releases a little less, and the libraries of the
// auditor take some. C libraries alone need some hundreds.
constexpr std::size_t kKeptFree = 1024;
constexpr std::size_t kTlsAlignment = 64;  // At most, for thread-local variables of usual types.

std::string library_file(const std::string& name, const std::vector<std::string>& folders) {
  if (name.find('/') != std::string::npos) return name;
  std::error_code error;
  for (const std::string& folder : folders) {
    const std::string path = folder + "/" + name;
    if (fs::is_regular_file(path, error)) return path;
  }
  return "";
}

std::optional<ElfFile> headers_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  try {
    return read_elf(path, MappedFile(path).bytes(), {.exports = false});
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

bool knows_tunable(const std::string& loader) {
  try {
    return MappedFile(loader).bytes().find(kTunable) != std::string_view::npos;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

StaticTls static_tls_at_start(const std::string& program) {
  StaticTls out;
  std::vector<std::string> folders = split(environment_variable("LD_LIBRARY_PATH"), ":;");
  for (const SystemFolder& folder : kSystemFolders) folders.emplace_back(folder.path);
  std::vector<std::string> files = split(environment_variable("LD_PRELOAD"), ": ");
  files.insert(files.begin(), program);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < files.size(); ++i) {  // Grows in the loop.
    const std::string path = library_file(files[i], folders);
    if (path.empty() || !seen.insert(fs::path(path).filename()).second) continue;
    const std::optional<ElfFile> elf = headers_of(path);
    if (!elf || elf->bits != 64) continue;
    if (i == 0) out.can_reserve = !elf->interpreter.empty() && knows_tunable(elf->interpreter);
    // The program's own segment is laid out before the rest, auditor or not.
    if (i != 0 && elf->tls_size != 0) {
      out.needed += (elf->tls_size + kTlsAlignment - 1) / kTlsAlignment * kTlsAlignment;
    }
    files.insert(files.end(), elf->needed.begin(), elf->needed.end());
  }
  out.fits = out.needed <= kKeptFree;
  return out;
}

std::optional<std::string> with_static_tls(const StaticTls& tls, const std::string& tunables) {
  if (tls.fits || !tls.can_reserve) return std::nullopt;
  if (tunables.find(std::string(kTunable) + "=") != std::string::npos) return std::nullopt;
  return (tunables.empty() ? "" : tunables + ":") + kTunable + "=" +
         std::to_string(tls.needed + kKeptFree);
}

}  // namespace torchada
