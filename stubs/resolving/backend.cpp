#include "stubs/resolving/backend.h"

#include <unistd.h>

#include <atomic>

#include "stubs/loading/loaded_objects.h"
#include "stubs/loading/opening.h"
#include "stubs/process/own_address.h"
#include "stubs/process/peers.h"
#include "stubs/reporting/log.h"
#include "stubs/resolving/kept_tables.h"
#include "stubs/resolving/lifetime.h"
#include "stubs/resolving/observed.h"
#include "stubs/system/environment.h"
#include "stubs/system/loader.h"
#include "stubs/system/signals_held.h"

namespace torchada {
namespace {

// Concurrency. Two threads may open MUSA at the same time. Each fills its own Backend; the loader
// gives both the same handles. One of them wins `claimed`, copies its Backend into `storage` and
// publishes the pointer. The others use their own copy for this call and keep nothing. No thread
// waits for another, so a constructor inside MUSA that calls back into us cannot deadlock.
//
// Not covered: a constructor of MUSA that starts a thread which calls us, and waits for that
// thread. The new thread needs the loader's lock, which the constructor's thread holds; no
// replacement library can help.
//
// A handle is kept only when its library is constructed. So whatever a kept handle leads to may be
// kept too, even by a thread that is opening another library at that moment.
Backend storage;
std::atomic<bool> claimed{false};
std::atomic<const Backend*> published{nullptr};
std::atomic<bool> absent{false};  // Every place was tried and none had MUSA.

std::atomic<void*> siblings[static_cast<int>(BackendLibrary::kCount)];
char sibling_is_absent;  // Its address marks a missing sibling.

std::atomic<int32_t> sdk_of_backend{-1};

std::atomic<void*> override_handle{nullptr};
char override_is_absent;

// A function of `library`, or of what that library needs. Null if it is ours, or missing.
void* find_in(BackendLibrary library, void* handle, const char* name, uint32_t hash) {
  if (void* address = find_in_kept_table(library, name, hash)) return address;
  void* address = find_symbol(handle, name);
  return address && !in_replacement(address) ? address : nullptr;
}

// First calls of many functions follow. Without this, each waits three times for memory, which
// takes as long as finding the function.
void fetch_own_tables() {
  const Library& library = torchada_library;
  for (uint32_t i = 0; i < library.symbol_count; ++i) {
    const Target* target = library.targets + library.symbols[i].first_target;
    __builtin_prefetch(target);
    __builtin_prefetch(library.strings + target->name);
    // To GCC, a function that only prefetches has no effect, and its calls are left out.
    __asm__ volatile("");
  }
}

// Keeps the table of an opened library of MUSA. It may have brought along a runtime of another SDK.
void keep_library(const Backend& backend, BackendLibrary library, void* handle) {
  const SymbolTable table = symbol_table_of(handle);
  // Functions of ours count as missing, so none may be found in the table.
  if (!report_rivals(path_of(backend.musart), table.symbols)) keep_table(library, table);
}

void publish(const Backend& own) {
#ifdef TORCHADA_SEED_PUBLISH_BEFORE_INITIALISATION
  // A deliberate bug: a test checks that ThreadSanitizer finds it. The handle comes first, because
  // a reader that finds none would crash before anything is reported.
  storage.musart = own.musart;
  published.store(&storage, std::memory_order_release);
  usleep(20000);
  storage = own;
#else
  storage = own;
  published.store(&storage, std::memory_order_release);
#endif
  keep_library(own, kRuntimeLibrary, own.musart);
  keep_requests();
  fetch_own_tables();
}

// The published backend, or one freshly opened into `own`. Null without MUSA.
const Backend* get_backend(bool only_tells, Backend* own, bool* settled) {
  const Backend* backend = published.load(std::memory_order_acquire);
  *settled = true;
  if (backend) return backend;
  *settled = !is_opening();
  if (absent.load(std::memory_order_acquire)) return nullptr;
  const HandlersHeld held;
  if (!open_installation(only_tells, own)) {
    // While one of MUSA's own constructors runs, the loader may not list the library yet.
    if (*settled) absent.store(true, std::memory_order_release);
    return nullptr;
  }
  if (!*settled) return own;
  if (watch_lifetime()) observe_here(true);
  if (!claimed.exchange(true, std::memory_order_acq_rel)) {
    publish(*own);
    return &storage;
  }
  backend = published.load(std::memory_order_acquire);
  *settled = backend != nullptr;
  return backend ? backend : own;
}

// Handle of `library` next to libmusart, or null.
void* get_library(const Backend* backend, BackendLibrary library, bool* settled) {
  if (library == kRuntimeLibrary) return backend->musart;
  std::atomic<void*>& sibling = siblings[static_cast<int>(library)];
  void* handle = sibling.load(std::memory_order_acquire);
  if (handle == &sibling_is_absent) return nullptr;
  if (handle) return handle;
  const HandlersHeld held;
  const bool opening = is_opening();
  if (opening) *settled = false;
  handle = open_sibling(backend, library);
  // Every thread that opened it does this, even one that lost the race for the backend.
  if (handle && !opening) watch_exit();
  if (!*settled) return handle;
  if (handle) keep_library(*backend, library, handle);
  sibling.store(handle ? handle : &sibling_is_absent, std::memory_order_release);
  return handle;
}

// SDK version of the backend, major*10000+minor*100+patch; 0 if the backend does not say.
int32_t get_sdk(const Backend* backend, bool settled) {
  int32_t sdk = sdk_of_backend.load(std::memory_order_acquire);
  if (sdk >= 0) return sdk;
  using GetVersion = int (*)(int*);
  const auto get = reinterpret_cast<GetVersion>(find_symbol(backend->musart, kRuntimeVersionCall));
  int version = 0;
  if (!get || get(&version) != 0) version = 0;
  sdk = torchada_sdk_of_runtime_version(version);
  // A MUSA that is being constructed may not know its version yet.
  if (settled) sdk_of_backend.store(sdk, std::memory_order_release);
  return sdk;
}

bool suits(const Target& target, const Backend* backend, bool settled) {
  // Asking for the version calls MUSA, so ask only if the answer matters.
  if (target.sdk_from <= 0 && target.sdk_to >= kNoSdkEnd) return true;
  const int32_t sdk = get_sdk(backend, settled);
  return sdk == 0 || (sdk >= target.sdk_from && sdk < target.sdk_to);
}

TORCHADA_APART void say_override_ignored(const char* path, const char* why) {
  Line line;
  line << "TORCHADA_OVERRIDE=" << path << " is ignored: " << why << "; correct or unset it";
  log(LogLevel::kWarn, line);
}

}  // namespace

Lookup find_in_backend(BackendLibrary library, const Target* targets, unsigned count,
                       const char* strings) {
  Backend own;
  bool settled = true;
  const bool only_tells = count == 0 || targets->only_tells;
  const Backend* backend = get_backend(only_tells, &own, &settled);
  if (!backend) return {Lookup::kNoBackend, nullptr, nullptr, nullptr, settled};
  void* handle = get_library(backend, library, &settled);
  if (!handle) {
    return {Lookup::kNoBackend, nullptr, path_of(backend->musart), nullptr, settled};
  }
  for (unsigned i = 0; i < count; ++i) {
    if (!suits(targets[i], backend, settled)) continue;
    const char* name = strings + targets[i].name;
    if (void* address = find_in(library, handle, name, targets[i].hash)) {
      return {Lookup::kFound, address, path_of(handle), targets + i, settled};
    }
  }
  return {Lookup::kMissing, nullptr, path_of(handle), nullptr, settled};
}

bool sdk_is_before(int32_t sdk) {
  const Target any{0, 0, sdk, 0, true};
  return find_in_backend(kRuntimeLibrary, &any, 1, "musaGetDevice").result == Lookup::kFound;
}

Lookup find_in_override(const char* name) {
  const Lookup missing{Lookup::kMissing, nullptr, nullptr, nullptr, true};
  const char* path = environment("TORCHADA_OVERRIDE");
  if (!path) return missing;
  bool settled = true;
  void* handle = override_handle.load(std::memory_order_acquire);
  if (!handle) {
    const HandlersHeld held;
    settled = !is_opening();
    handle = open_library(path);
    if (!handle) {
      say_override_ignored(path, why_not_opened());
      handle = &override_is_absent;
    }
    if (settled) override_handle.store(handle, std::memory_order_release);
  }
  if (handle == &override_is_absent) return missing;
  void* address = find_symbol(handle, name);
  if (!address || in_replacement(address)) return missing;
  return {Lookup::kFound, address, path_of(handle), nullptr, settled};
}

}  // namespace torchada
