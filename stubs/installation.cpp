#include "stubs/installation.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stubs/environment.h"
#include "stubs/environment_map.h"
#include "stubs/loaded_objects.h"
#include "stubs/loader.h"
#include "stubs/log.h"
#include "stubs/peers.h"
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

// Whether the file, with links followed, lies in a folder named stubs below `root`. The libraries
// there are for linking; their functions do nothing. Outside `root`, or if that is null, only the
// folder of the file counts: the user's own path may have such a folder further up.
bool is_link_stub(const char* path, const char* root) {
  char file[PATH_MAX];
  char base[PATH_MAX];
  if (!realpath(path, file)) return false;
  const size_t length = root && realpath(root, base) ? strlen(base) : 0;
  if (length != 0 && strncmp(file, base, length) == 0 && file[length] == '/') {
    return strstr(file + length, "/stubs/") != nullptr;
  }
  char* name = strrchr(file, '/');
  *name = '\0';
  const char* folder = strrchr(file, '/');
  return folder && strcmp(folder, "/stubs") == 0;
}

void say_passed_over(const char* path) {
  Line line;
  line << "passed over " << path << ": a stub for linking";
  log(LogLevel::kDebug, line);
}

// Lets the loader find the file, unless LD_LIBRARY_PATH would lead it to a link stub.
void* open_by_name(const char* name) {
  Path stub;
  const char* list = environment("LD_LIBRARY_PATH");
  while (list && *list) {
    const size_t length = strcspn(list, ":;");
    Path path;
    path.append(list, length);
    path << "/" << name;
    list += length;
    if (*list) ++list;
    if (length == 0 || path.truncated() || access(path.c_str(), F_OK) != 0) continue;
    if (!is_link_stub(path.c_str(), nullptr)) {
      return open_library(stub.size() != 0 ? path.c_str() : name);
    }
    say_passed_over(path.c_str());
    if (stub.size() == 0) stub << path.c_str();
  }
  if (stub.size() == 0) return open_library(name);
  Line line;
  line << "cannot open " << name << ": the first one in LD_LIBRARY_PATH, " << stub.c_str()
       << ", is a stub for linking; remove its directory from LD_LIBRARY_PATH";
  log(LogLevel::kWarn, line);
  return nullptr;
}

enum class Found { kNothing, kOpened, kBroken };

// Tries the names of `library` in one folder of the installation at `root`. A file that exists but
// does not open ends the search: going on to another installation would mix the two without the
// user's knowledge.
Found open_in_folder(const char* root, const char* folder, BackendLibrary library, void** handle) {
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
    if (is_link_stub(path.c_str(), root)) {
      say_passed_over(path.c_str());
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
    const Found found = open_in_folder(root, folder.c_str(), kRuntimeLibrary, &handle);
    if (found == Found::kOpened && !adopt(backend, handle)) return Found::kBroken;
    if (found != Found::kNothing) return found;
  }
  return Found::kNothing;
}

bool open_by_bare_name(Backend* backend) {
  for (const Soname* soname = torchada_backend_table.sonames[kMusart]; soname->name; ++soname) {
    // The loader decides where the file is; siblings come from the same folder.
    if (void* handle = open_by_name(soname->name)) return adopt(backend, handle);
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

// The driver that the opened libmusart needs, otherwise one that the process has loaded already. A
// second one would have its own contexts and its own connection to the device.
void* open_driver_in_process(const Backend* backend, BackendLibrary library) {
  const char* stem = torchada_backend_table.names[static_cast<int>(library)];
  const char* needed = needed_by(backend->musart, stem);
  void* handle = needed ? open_library(needed, RTLD_NOLOAD) : nullptr;
  Path path;
  if (!handle && find_loaded(stem, &path)) handle = open_library(path.c_str(), RTLD_NOLOAD);
  return handle;
}

// Tries the folder of libmusart, then the folders beside it: some images keep MCCL and other
// libraries there.
Found open_in_installation(const char* folder, BackendLibrary library, void** handle) {
  Path root;
  root << folder << "/..";
  Found found = open_in_folder(root.c_str(), folder, library, handle);
  for (const char* const* sub = torchada_backend_table.subfolders; found == Found::kNothing && *sub;
       ++sub) {
    Path other;
    other << root.c_str() << "/" << *sub;
    if (!other.truncated()) found = open_in_folder(root.c_str(), other.c_str(), library, handle);
  }
  return found;
}

}  // namespace

bool open_installation(Backend* backend) {
  if (!in_base_namespace()) return false;  // A second MUSA would run beside the first.
  if (open_loaded(backend)) return true;
  map_environment_in_first();
  return open_fresh(backend) && adopt_first(backend);
}

void* open_sibling(const Backend* backend, BackendLibrary library) {
  const bool is_driver = torchada_backend_table.homes[static_cast<int>(library)] == Home::kDriver;
  void* handle = is_driver ? open_driver_in_process(backend, library) : nullptr;
  if (handle) return handle;
  if (*backend->folder) {
    const Found found = open_in_installation(backend->folder, library, &handle);
    if (found != Found::kNothing || !is_driver) return handle;
  }
  const Soname* soname = torchada_backend_table.sonames[static_cast<int>(library)];
  for (; soname->name && !handle; ++soname) handle = open_by_name(soname->name);
  return handle;
}

}  // namespace torchada
