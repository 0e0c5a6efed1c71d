#include "backend.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
#include <pthread.h>
#endif

#include <atomic>

#include "environment.h"
#include "glibc_compat.h"
#include "log.h"
#include "own_address.h"
#include "thread.h"

TORCHADA_OLD_GLIBC(dlopen);
TORCHADA_OLD_GLIBC(dlsym);
TORCHADA_OLD_GLIBC(dlerror);

namespace torchada {
namespace {

constexpr int kMusart = static_cast<int>(BackendLibrary::kMusart);

// Concurrency. Two threads may open MUSA at the same time. Each fills a Backend of its own; the
// loader hands both the same handles. One of them wins `claimed`, copies its Backend into
// `storage` and publishes the pointer; the others go on with their own copy and keep nothing.
// Nobody waits for anybody, so a constructor inside MUSA that calls back into us cannot deadlock.
Backend storage;
std::atomic<bool> claimed{false};
std::atomic<const Backend*> published{nullptr};
std::atomic<bool> absent{false};  // Every place was tried and none had MUSA.

std::atomic<void*> siblings[static_cast<int>(BackendLibrary::kCount)];
char sibling_is_absent;  // Its address marks a sibling that is not there.

std::atomic<int32_t> sdk_of_backend{-1};

std::atomic<void*> override_handle{nullptr};
char override_is_absent;

// Marks this thread as being inside our dlopen: what a constructor's call back resolves meanwhile
// belongs to a library that is not fully constructed, and must not be shown to other threads.
class Opening {
 public:
  Opening() { ++torchada_thread.opening; }
  ~Opening() { --torchada_thread.opening; }
};

// Threads that open a library at once are ordered by the loader's recursive lock: who comes second
// finds it constructed. ThreadSanitizer does not see into the loader, so under it, and only there,
// a lock of the same kind stands beside it.
class LoaderLockForSanitizer {
#ifdef __SANITIZE_THREAD__
 public:
  LoaderLockForSanitizer() { pthread_mutex_lock(&mutex_); }
  ~LoaderLockForSanitizer() { pthread_mutex_unlock(&mutex_); }

 private:
  static inline pthread_mutex_t mutex_ = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#else
 public:
  LoaderLockForSanitizer() {}
#endif
};

void* open_file(const char* path, int extra = 0) {
  Opening opening;
  LoaderLockForSanitizer order;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | extra);
}

void set_folder(Backend* backend, const char* path) {
  const char* slash = strrchr(path, '/');
  const size_t length = slash ? static_cast<size_t>(slash - path) : 0;
  memcpy(backend->folder, path, length);
  backend->folder[length] = '\0';
}

bool adopt(Backend* backend, void* handle, const char* path) {
  backend->musart = handle;
  const size_t length = strnlen(path, sizeof backend->path - 1);
  memcpy(backend->path, path, length);
  backend->path[length] = '\0';
  set_folder(backend, backend->path);
  Line line;
  line << "using " << path;
  log(LogLevel::kInfo, line);
  return true;
}

struct LoadedSearch {
  const char* stem;  // "libmusart"
  Path found;
};

int visit_loaded(dl_phdr_info* object, size_t, void* data) {
  auto* search = static_cast<LoadedSearch*>(data);
  const char* name = object->dlpi_name;
  if (!name) return 0;
  const char* slash = strrchr(name, '/');
  const char* base = slash ? slash + 1 : name;
  const size_t stem = strlen(search->stem);
  if (strncmp(base, search->stem, stem) != 0 || strncmp(base + stem, ".so", 3) != 0) return 0;
  search->found.clear();
  search->found << name;
  return 1;
}

// The instance that torch_musa or the program itself has loaded, whatever the environment says:
// a second one would have other streams, other allocations, another current device.
bool open_loaded(Backend* backend) {
  LoadedSearch search{torchada_backend_table.names[kMusart], {}};
  dl_iterate_phdr(visit_loaded, &search);
  if (search.found.size() == 0 || search.found.truncated()) return false;
  void* handle = open_file(search.found.c_str(), RTLD_NOLOAD);
  return handle && adopt(backend, handle, search.found.c_str());
}

enum class Found { kNothing, kOpened, kBroken };

// Tries the names of `library` in one folder. A file that is there but does not open ends the
// search: going on to another installation would mix two of them behind the user's back.
Found open_in_folder(const char* folder, BackendLibrary library, void** handle, Path* path) {
  const Soname* soname = torchada_backend_table.sonames[static_cast<int>(library)];
  for (; soname->name; ++soname) {
    path->clear();
    *path << folder << "/" << soname->name;
    if (path->truncated()) continue;
    if (access(path->c_str(), F_OK) != 0) {
      Line line;
      line << "tried " << path->c_str();
      log(LogLevel::kDebug, line);
      continue;
    }
    *handle = open_file(path->c_str());
    if (*handle) return Found::kOpened;
    const char* why = dlerror();
    Line line;
    line << "cannot open MUSA: " << (why ? why : path->c_str());
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
    Path path;
    const Found found = open_in_folder(folder.c_str(), BackendLibrary::kMusart, &handle, &path);
    if (found == Found::kOpened) adopt(backend, handle, path.c_str());
    if (found != Found::kNothing) return found;
  }
  return Found::kNothing;
}

bool open_by_bare_name(Backend* backend) {
  for (const Soname* soname = torchada_backend_table.sonames[kMusart]; soname->name; ++soname) {
    void* handle = open_file(soname->name);
    if (!handle) {
      Line line;
      line << "tried " << soname->name << " in the loader's path";
      log(LogLevel::kDebug, line);
      continue;
    }
    // The loader knows where it found the file; ask it, so that siblings come from there.
    const auto* map = static_cast<const link_map*>(handle);
    return adopt(backend, handle, map->l_name && *map->l_name ? map->l_name : soname->name);
  }
  return false;
}

bool open_backend(Backend* backend) {
  if (open_loaded(backend)) return true;
  for (const char* const* name = torchada_backend_table.root_variables; *name; ++name) {
    const char* root = environment(*name);
    if (!root) continue;
    const Found found = open_in_root(root, backend);
    if (found == Found::kOpened) return true;
    if (found == Found::kBroken) return false;
    // A variable of our own is an order, the others are hints.
    if (is_order(*name)) return false;
  }
  for (const char* const* root = torchada_backend_table.default_roots; *root; ++root) {
    const Found found = open_in_root(*root, backend);
    if (found != Found::kNothing) return found == Found::kOpened;
  }
  return open_by_bare_name(backend);
}

// The backend, from `published` or freshly opened into `own`. Null where there is no MUSA.
const Backend* get_backend(Backend* own, bool* settled) {
  const Backend* backend = published.load(std::memory_order_acquire);
  *settled = torchada_thread.opening == 0;
  if (backend) return backend;
  if (absent.load(std::memory_order_acquire)) return nullptr;
  if (!open_backend(own)) {
    // Within a constructor of MUSA itself the loader may not show the library yet.
    if (*settled) absent.store(true, std::memory_order_release);
    return nullptr;
  }
  if (!*settled) return own;
  if (!claimed.exchange(true, std::memory_order_acq_rel)) {
#ifdef TORCHADA_SEED_PUBLISH_BEFORE_INITIALISATION
    // A bug on purpose, for the test that ThreadSanitizer would find it.
    published.store(&storage, std::memory_order_release);
    usleep(20000);
    storage = *own;
#else
    storage = *own;
    published.store(&storage, std::memory_order_release);
#endif
    return &storage;
  }
  backend = published.load(std::memory_order_acquire);
  *settled = backend != nullptr;
  return backend ? backend : own;
}

// Handle of `library` next to libmusart, or null.
void* get_library(const Backend* backend, BackendLibrary library, bool settled) {
  if (library == BackendLibrary::kMusart) return backend->musart;
  std::atomic<void*>& sibling = siblings[static_cast<int>(library)];
  void* handle = sibling.load(std::memory_order_acquire);
  if (handle == &sibling_is_absent) return nullptr;
  if (handle) return handle;
  Path path;
  const char* folder = backend->folder;
  Found found = Found::kNothing;
  if (*folder) found = open_in_folder(folder, library, &handle, &path);
  // Some images keep MCCL and others in folders of their own beside lib.
  for (const char* const* sub = torchada_backend_table.subfolders;
       *folder && found == Found::kNothing && *sub; ++sub) {
    Path other;
    other << folder << "/../" << *sub;
    if (!other.truncated()) found = open_in_folder(other.c_str(), library, &handle, &path);
  }
  if (!*folder) {
    const Soname* soname = torchada_backend_table.sonames[static_cast<int>(library)];
    for (; soname->name && !handle; ++soname) handle = open_file(soname->name);
  }
  if (settled) {
    sibling.store(handle ? handle : &sibling_is_absent, std::memory_order_release);
  }
  return handle;
}

// SDK version of the backend, major*10000+minor*100+patch; 0 where it does not tell.
int32_t get_sdk(const Backend* backend) {
  int32_t sdk = sdk_of_backend.load(std::memory_order_acquire);
  if (sdk >= 0) return sdk;
  using GetVersion = int (*)(int*);
  const auto get = reinterpret_cast<GetVersion>(dlsym(backend->musart, "musaRuntimeGetVersion"));
  int version = 0;
  if (!get || get(&version) != 0) version = 0;
  sdk = torchada_sdk_of_runtime_version(version);
  sdk_of_backend.store(sdk, std::memory_order_release);
  return sdk;
}

const char* path_of(void* handle) {
  const auto* map = static_cast<const link_map*>(handle);
  return map->l_name && *map->l_name ? map->l_name : "the MUSA library";
}

}  // namespace

Lookup find_in_backend(BackendLibrary library, const Target* targets, unsigned count,
                       const char* strings) {
  Backend own;
  bool settled = true;
  const Backend* backend = get_backend(&own, &settled);
  if (!backend) return {Lookup::kNoBackend, nullptr, nullptr, nullptr, settled};
  void* handle = get_library(backend, library, settled);
  if (!handle) {
    return {Lookup::kMissing, nullptr, torchada_backend_table.names[static_cast<int>(library)],
            nullptr, settled};
  }
  for (unsigned i = 0; i < count; ++i) {
    const Target& target = targets[i];
    const bool any_sdk = target.sdk_from <= 0 && target.sdk_to >= kNewestSdk;
    // Asking for the version calls MUSA, so it is done only where the answer matters.
    if (!any_sdk) {
      const int32_t sdk = get_sdk(backend);
      if (sdk != 0 && (sdk < target.sdk_from || sdk >= target.sdk_to)) continue;
    }
    const char* name = strings + target.name;
    void* address = dlsym(handle, name);
    if (address && !in_shim(address)) {
      return {Lookup::kFound, address, path_of(handle), name, settled};
    }
  }
  return {Lookup::kMissing, nullptr, path_of(handle), nullptr, settled};
}

void* find_in_override(const char* name) {
  const char* path = environment("TORCHADA_OVERRIDE");
  if (!path) return nullptr;
  void* handle = override_handle.load(std::memory_order_acquire);
  if (!handle) {
    handle = open_file(path);
    if (!handle) {
      const char* why = dlerror();
      Line line;
      line << "TORCHADA_OVERRIDE is ignored: " << (why ? why : path);
      log(LogLevel::kWarn, line);
      handle = &override_is_absent;
    }
    if (torchada_thread.opening == 0) override_handle.store(handle, std::memory_order_release);
  }
  if (handle == &override_is_absent) return nullptr;
  void* address = dlsym(handle, name);
  return address && !in_shim(address) ? address : nullptr;
}

}  // namespace torchada
