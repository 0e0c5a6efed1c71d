#include "stubs/loading/installation.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "stubs/loading/loaded_objects.h"
#include "stubs/loading/whole_file.h"
#include "stubs/reporting/log.h"
#include "stubs/system/environment.h"
#include "stubs/system/loader.h"
#include "stubs/system/mapped_path.h"

namespace torchada {
namespace {

constexpr int kMusart = static_cast<int>(kRuntimeLibrary);

// The lines that the search for MUSA writes.

TORCHADA_APART void say_using(const char* path) {
  Line line;
  line << "using " << path;
  log(LogLevel::kInfo, line);
}

TORCHADA_APART void say_tried(const char* path, const char* where) {
  Line line;
  line << "tried " << path << where;
  log(LogLevel::kDebug, line);
}

TORCHADA_APART void say_passed_over(const char* path) {
  Line line;
  line << "passed over " << path << ": a stub for linking";
  log(LogLevel::kDebug, line);
}

TORCHADA_APART void say_shadowed(const char* name, const char* stub) {
  Line line;
  line << "cannot open " << name << ": the first one in LD_LIBRARY_PATH, " << stub
       << ", is a stub for linking; remove its directory from LD_LIBRARY_PATH";
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void say_broken(const char* path, const char* why) {
  Line line;
  line << "cannot open " << path << ": " << why;
  log(LogLevel::kWarn, line);
}

void set(Backend* backend, void* handle) {
  const char* path = path_of(handle);
  const char* slash = strrchr(path, '/');
  backend->musart = handle;
  backend->folder_length = slash ? static_cast<size_t>(slash - path) : 0;
}

void adopt(Backend* backend, void* handle) {
  set(backend, handle);
  say_using(path_of(handle));
}

// The libmusart that the process has loaded, or null.
void* loaded_runtime() {
  MappedPath path;
  if (!find_loaded(torchada_backend_table.names[kMusart], &path)) return nullptr;
  return open_library(path.c_str(), RTLD_NOLOAD);
}

// Whether the file, with links followed, lies in a folder named stubs below `root`. The libraries
// there are for linking; their functions do nothing. Outside `root`, or if that is null, only the
// folder of the file counts: the user's own path may have such a folder further up.
bool is_link_stub(const char* path, const char* root) {
  MappedPath real;
  if (!real.resolve(path)) return false;
  const char* const file = real.c_str();
  if (!strstr(file, "/stubs/")) return false;
  MappedPath base;
  const size_t length = root && base.resolve(root) ? base.size() : 0;
  if (length != 0 && strncmp(file, base.c_str(), length) == 0 && file[length] == '/') {
    return strstr(file + length, "/stubs/") != nullptr;
  }
  constexpr char kFolder[] = "/stubs";
  constexpr size_t kLength = sizeof kFolder - 1;
  const auto before_name = static_cast<size_t>(strrchr(file, '/') - file);
  return before_name >= kLength && strncmp(file + before_name - kLength, kFolder, kLength) == 0;
}

// Lets the loader find the file, unless LD_LIBRARY_PATH would lead it to a link stub.
void* open_by_name(const char* name) {
  MappedPath stub;
  const char* list = environment("LD_LIBRARY_PATH");
  while (list && *list) {
    const size_t length = strcspn(list, ":;");
    MappedPath path;
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
  say_shadowed(name, stub.c_str());
  return nullptr;
}

enum class Found { kNothing, kOpened, kBroken };

// Tries the names of `library` in one folder of the installation at `root`. A file that exists but
// does not open ends the search: going on to another installation would mix the two without the
// user's knowledge.
Found open_in_folder(const char* root, const char* folder, BackendLibrary library, void** handle) {
  const Soname* soname = torchada_backend_table.sonames[static_cast<int>(library)];
  for (; soname->name; ++soname) {
    MappedPath path;
    path << folder << "/" << soname->name;
    if (path.truncated()) continue;
    if (access(path.c_str(), F_OK) != 0) {
      say_tried(path.c_str(), "");
      continue;
    }
    if (is_link_stub(path.c_str(), root)) {
      say_passed_over(path.c_str());
      continue;
    }
    const char* wrong = what_is_wrong_with(path.c_str());
    *handle = wrong ? nullptr : open_library(path.c_str());
    if (*handle) return Found::kOpened;
    say_broken(path.c_str(), wrong ? wrong : why_not_opened());
    return Found::kBroken;
  }
  return Found::kNothing;
}

Found open_in_root(const char* root, Backend* backend) {
  for (const char* const* sub = torchada_backend_table.subfolders; *sub; ++sub) {
    MappedPath folder;
    folder << root << "/" << *sub;
    if (folder.truncated()) continue;
    void* handle = nullptr;
    const Found found = open_in_folder(root, folder.c_str(), kRuntimeLibrary, &handle);
    if (found == Found::kOpened) adopt(backend, handle);
    if (found != Found::kNothing) return found;
  }
  return Found::kNothing;
}

bool open_by_bare_name(Backend* backend) {
  for (const Soname* soname = torchada_backend_table.sonames[kMusart]; soname->name; ++soname) {
    // The loader decides where the file is; siblings come from the same folder.
    if (void* handle = open_by_name(soname->name)) {
      adopt(backend, handle);
      return true;
    }
    say_tried(soname->name, " in the loader's search path");
  }
  return false;
}

// The driver that the opened libmusart needs, otherwise one that the process has loaded already. A
// second one would have its own contexts and its own connection to the device.
void* open_driver_in_process(const Backend* backend, BackendLibrary library) {
  const char* stem = torchada_backend_table.names[static_cast<int>(library)];
  const char* needed = needed_by(backend->musart, stem);
  void* handle = needed ? open_library(needed, RTLD_NOLOAD) : nullptr;
  if (handle) return handle;
  MappedPath path;
  return find_loaded(stem, &path) ? open_library(path.c_str(), RTLD_NOLOAD) : nullptr;
}

// A driver's libraries lie together, so another one is beside the driver that libmusart needs.
Found open_beside_driver(const Backend* backend, BackendLibrary library, void** handle) {
  for (int other = 0; other < static_cast<int>(BackendLibrary::kCount); ++other) {
    if (torchada_backend_table.homes[other] != Home::kDriver) continue;
    const char* needed = needed_by(backend->musart, torchada_backend_table.names[other]);
    void* driver = needed ? open_library(needed, RTLD_NOLOAD) : nullptr;
    if (!driver) continue;
    const char* const path = path_of(driver);
    const char* const slash = strrchr(path, '/');
    if (!slash) continue;
    MappedPath folder;
    folder.append(path, static_cast<size_t>(slash - path));
    const Found found = open_in_folder(folder.c_str(), folder.c_str(), library, handle);
    if (found != Found::kNothing) return found;
  }
  return Found::kNothing;
}

// Tries the folder of libmusart, then the folders beside it: some images keep MCCL and other
// libraries there.
Found open_in_installation(const Backend* backend, BackendLibrary library, void** handle) {
  MappedPath folder, root;
  folder.append(path_of(backend->musart), backend->folder_length);
  root << folder.c_str() << "/..";
  if (root.truncated()) return Found::kNothing;
  Found found = open_in_folder(root.c_str(), folder.c_str(), library, handle);
  for (const char* const* sub = torchada_backend_table.subfolders; found == Found::kNothing && *sub;
       ++sub) {
    MappedPath other;
    other << root.c_str() << "/" << *sub;
    if (!other.truncated()) found = open_in_folder(root.c_str(), other.c_str(), library, handle);
  }
  return found;
}

}  // namespace

bool find_installation(Backend* backend) {
  void* handle = loaded_runtime();
  if (handle) set(backend, handle);
  return handle != nullptr;
}

bool use_loaded_installation(Backend* backend) {
  void* handle = loaded_runtime();
  if (handle) adopt(backend, handle);
  return handle != nullptr;
}

bool open_new_installation(Backend* backend) {
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

void settle_on_first(Backend* backend) {
  void* handle = loaded_runtime();
  if (handle && handle != backend->musart) adopt(backend, handle);
}

void* open_sibling(const Backend* backend, BackendLibrary library) {
  const bool is_driver = torchada_backend_table.homes[static_cast<int>(library)] == Home::kDriver;
  void* handle = is_driver ? open_driver_in_process(backend, library) : nullptr;
  if (handle) return handle;
  if (is_driver && open_beside_driver(backend, library, &handle) != Found::kNothing) return handle;
  if (backend->folder_length != 0) {
    const Found found = open_in_installation(backend, library, &handle);
    if (found != Found::kNothing || !is_driver) return handle;
  }
  const Soname* soname = torchada_backend_table.sonames[static_cast<int>(library)];
  for (; soname->name && !handle; ++soname) handle = open_by_name(soname->name);
  return handle;
}

}  // namespace torchada
