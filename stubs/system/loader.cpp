#include "stubs/system/loader.h"

#include <dlfcn.h>
#include <stdint.h>
#include <sys/auxv.h>

#include <atomic>

#include "stubs/system/glibc_compat.h"
#include "stubs/system/signals_held.h"
#include "stubs/system/thread.h"
#include "stubs/system/unfinished.h"
#include "stubs/table.h"

#ifdef __SANITIZE_THREAD__
#include <pthread.h>
#endif

TORCHADA_LATE_GLIBC(dlopen);
TORCHADA_LATE_GLIBC(dlsym);
TORCHADA_LATE_GLIBC(dlerror);

namespace torchada {
namespace {

constexpr const char* kLibdl = "libdl.so.2";

// The loader's recursive lock orders threads that open the same library: the second one finds it
// constructed. ThreadSanitizer cannot see that lock, so its builds, and only those, add a lock of
// the same kind.
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

enum Namespace : uint8_t { kUnknown, kBase, kOther };
std::atomic<uint8_t> own_namespace{kUnknown};

// The first object of the base namespace is the program, which has no name.
Namespace namespace_of(const dl_phdr_info* first) {
  const auto headers = reinterpret_cast<uintptr_t>(first->dlpi_phdr);
  const bool is_program = !first->dlpi_name || !*first->dlpi_name || headers == getauxval(AT_PHDR);
  return is_program ? kBase : kOther;
}

struct Visit {
  VisitObject visit;
  void* data;
};

int visit_one(dl_phdr_info* object, size_t size, void* data) {
  if (own_namespace.load(std::memory_order_relaxed) == kUnknown) {
    own_namespace.store(namespace_of(object), std::memory_order_relaxed);
  }
  const auto* const all = static_cast<const Visit*>(data);
  return all->visit(object, size, all->data);
}

int stop_at_once(dl_phdr_info*, size_t, void*) { return 1; }

}  // namespace

void* open_library(const char* path, int extra) {
  if (was_cut_off()) return nullptr;
  const Opening opening;
  const Unfinished unfinished;
  const LoaderLockForSanitizer lock;
  auto* const open = TORCHADA_LATE(kLibdl, dlopen);
  return open ? open(path, RTLD_NOW | RTLD_LOCAL | extra) : nullptr;
}

const char* why_not_opened() {
  auto* const error = TORCHADA_LATE(kLibdl, dlerror);
  const char* why = error ? error() : nullptr;
  return why ? why : "no reason given";
}

void* find_symbol(void* handle, const char* name) {
  const SignalsHeld held;
  const LoaderLockForSanitizer lock;
  auto* const find = TORCHADA_LATE(kLibdl, dlsym);
  return find ? find(handle, name) : nullptr;
}

const char* path_of(void* handle) {
  const LoaderLockForSanitizer lock;
  const auto* map = static_cast<const link_map*>(handle);
  return map->l_name && *map->l_name ? map->l_name : "the MUSA library";
}

bool in_base_namespace() {
  if (own_namespace.load(std::memory_order_relaxed) == kUnknown) {
    visit_objects(stop_at_once, nullptr);
  }
  return own_namespace.load(std::memory_order_relaxed) != kOther;
}

void visit_objects(VisitObject visit, void* data) {
  // glibc does not free the lock of dl_iterate_phdr in a child of fork().
  if (was_cut_off()) return;
  const SignalsHeld held;
  const Unfinished unfinished;
  const LoaderLockForSanitizer lock;
  Visit all{visit, data};
  dl_iterate_phdr(visit_one, &all);
}

}  // namespace torchada
