#include "installation.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>

#include "table.h"

namespace torchada {
namespace {

constexpr int kMusart = static_cast<int>(BackendLibrary::kMusart);

}  // namespace

std::string installation_root() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

std::string find_musa_in(const std::string& root) {
  for (const char* const* sub = torchada_backend_table.subfolders; *sub; ++sub) {
    const Soname* soname = torchada_backend_table.sonames[kMusart];
    for (; soname->name; ++soname) {
      const std::filesystem::path path = std::filesystem::path(root) / *sub / soname->name;
      std::error_code error;
      if (std::filesystem::exists(path, error)) return path;
    }
  }
  return "";
}

std::string find_musa() {
  for (const char* const* name = torchada_backend_table.root_variables; *name; ++name) {
    const char* root = std::getenv(*name);
    if (!root || !*root) continue;
    const std::string path = find_musa_in(root);
    if (!path.empty()) return path;
  }
  for (const char* const* root = torchada_backend_table.default_roots; *root; ++root) {
    const std::string path = find_musa_in(*root);
    if (!path.empty()) return path;
  }
  const Soname* soname = torchada_backend_table.sonames[kMusart];
  for (; soname->name; ++soname) {
    void* handle = dlopen(soname->name, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) continue;
    const std::string path = static_cast<const link_map*>(handle)->l_name;
    dlclose(handle);
    return path;
  }
  return "";
}

}  // namespace torchada
