#include "stubs/installation.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "stubs/environment.h"
#include "stubs/environment_map.h"
#include "stubs/loaded_objects.h"
#include "stubs/loader.h"
#include "stubs/log.h"
#include "stubs/whole_file.h"

namespace torchada {
namespace {

constexpr int kMusart = static_cast<int>(kRuntimeLibrary);

bool adopt(Backend* backend, void* handle) {
  const char* path = path_of(handle);
  backend->musart = handle;
  const char* slash = strrchr(path, '/');
  const size_t length = slash ? static_cast<size_t>(slash - path) : 0;
  if (length >= sizeof backend->folder) return false;
  memcpy(backend->folder, path, length);
  backend->folder[length] = '\0';
  Line line;
  line << "using " << path;
  log(LogLevel::kInfo, line);
  return true;
}

// Uses the instance that torch_musa or the program has already loaded, whatever the environment
// says: a second one would have other streams, other allocations and another current device.
bool open_loaded(Backend* backend) {
  Path path;
  if (!find_loaded(torchada_backend_table.names[kMusart], &path)) return false;
  void* handle = open_library(path.c_str(), RTLD_NOLOAD);
  if (!handle || !adopt(backend, handle)) return false;
  report_late_environment();
  return true;
}

// The program may have loaded a libmusart of its own meanwhile. The first one in the loader's list
// is what every other thread and fake library finds, so it is used here too.
bool adopt_first(Backend* backend) {
  Path path;
  if (!find_loaded(torchada_backend_table.names[kMusart], &path)) return true;
  void* handle = open_library(path.c_str(), RTLD_NOLOAD);
  return !handle || handle == backend->musart || adopt(backend, handle);
}

enum class Found { kNothing, kOpened, kBroken };

// Tries the names of `library` in one folder. A file that exists but does not open ends the search:
// going on to another installation would mix the two without the user's knowledge.
Found open_in_folder(const char* folder, BackendLibrary library, void** handle) {
  const Soname* soname = torchada_backend_table.sonames[static_cast<int>(library)];
  for (; soname->name; ++soname) {
    Path path;
    path << folder << "/" << soname->name;
    if (path.truncated()) continue;
    if (access(path.c_str(), F_OK) != 0) {
      Line line;
      line << "tried " << path.c_str();
      log(LogLevel::kDebug, line);
      continue;
    }
    const char* wrong = what_is_wrong_with(path.c_str());
    *handle = wrong ? nullptr : open_library(path.c_str());
    if (*handle) return Found::kOpened;
    Line line;
    line << "cannot open " << path.c_str() << ": " << (wrong ? wrong : why_not_opened());
    log(LogLevel::kWarn, line);
    return Found::kBroken;
  }
  return Found::kNothing;
}

Found open_in_root(const char* root, Backend* backend) {
  for (const char* const* sub = torchada_backend_table.subfolders; *sub; ++sub) {
    Path folder;
    folder << root << "/" << *sub;
    if (folder.truncated()) continue;
    void* handle = nullptr;
    const Found found = open_in_folder(folder.c_str(), kRuntimeLibrary, &handle);
    if (found == Found::kOpened && !adopt(backend, handle)) return Found::kBroken;
    if (found != Found::kNothing) return found;
  }
  return Found::kNothing;
}

bool open_by_bare_name(Backend* backend) {
  for (const Soname* soname = torchada_backend_table.sonames[kMusart]; soname->name; ++soname) {
    // The loader decides where the file is; siblings come from the same folder.
    if (void* handle = open_library(soname->name)) return adopt(backend, handle);
    Line line;
    line << "tried " << soname->name << " in the loader's search path";
    log(LogLevel::kDebug, line);
  }
  return false;
}

bool open_fresh(Backend* backend) {
  for (const char* const* name = torchada_backend_table.root_variables; *name; ++name) {
    const char* root = environment(*name);
    if (!root) continue;
    const Found found = open_in_root(root, backend);
    if (found != Found::kNothing) return found == Found::kOpened;
    // Our own variable is binding; the others are hints.
    if (is_order(*name)) return false;
  }
  for (const char* const* root = torchada_backend_table.default_roots; *root; ++root) {
    const Found found = open_in_root(*root, backend);
    if (found != Found::kNothing) return found == Found::kOpened;
  }
  return open_by_bare_name(backend);
}

}  // namespace

bool open_installation(Backend* backend) {
  if (!in_base_namespace()) return false;  // A second MUSA would run beside the first.
  if (open_loaded(backend)) return true;
  apply_environment_map();
  return open_fresh(backend) && adopt_first(backend);
}

void* open_sibling(const Backend* backend, BackendLibrary library) {
  void* handle = nullptr;
  const char* folder = backend->folder;
  if (!*folder) {
    const Soname* soname = torchada_backend_table.sonames[static_cast<int>(library)];
    for (; soname->name && !handle; ++soname) handle = open_library(soname->name);
    return handle;
  }
  Found found = open_in_folder(folder, library, &handle);
  // Some images keep MCCL and other libraries in separate folders beside lib.
  for (const char* const* sub = torchada_backend_table.subfolders; found == Found::kNothing && *sub;
       ++sub) {
    Path other;
    other << folder << "/../" << *sub;
    if (!other.truncated()) found = open_in_folder(other.c_str(), library, &handle);
  }
  return handle;
}

}  // namespace torchada
