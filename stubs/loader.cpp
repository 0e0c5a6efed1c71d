#include "stubs/loader.h"

#include <dlfcn.h>
#include <string.h>

#include "stubs/glibc_compat.h"
#include "stubs/signals_held.h"
#include "stubs/table.h"
#include "stubs/thread.h"
#include "stubs/unfinished.h"

#ifdef __SANITIZE_THREAD__
#include <pthread.h>
#endif

TORCHADA_OLD_GLIBC(dlopen);
TORCHADA_OLD_GLIBC(dlsym);
TORCHADA_OLD_GLIBC(dlerror);
TORCHADA_OLD_GLIBC(dladdr);
TORCHADA_OLD_GLIBC_2_3_3(dladdr1);
TORCHADA_OLD_GLIBC_2_3_3(dlinfo);

namespace torchada {
namespace {

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

}  // namespace

void* open_library(const char* path, int extra) {
  if (was_cut_off()) return nullptr;
  const Opening opening;
  const Unfinished unfinished;
  const LoaderLockForSanitizer lock;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | extra);
}

const char* why_not_opened() {
  const char* why = dlerror();
  return why ? why : "no reason given";
}

void* find_symbol(void* handle, const char* name) {
  const SignalsHeld held;
  const LoaderLockForSanitizer lock;
  return dlsym(handle, name);
}

const char* path_of(void* handle) {
  const LoaderLockForSanitizer lock;
  const auto* map = static_cast<const link_map*>(handle);
  return map->l_name && *map->l_name ? map->l_name : "the MUSA library";
}

bool own_folder(MappedPath* path) {
  Dl_info self;
  {
    const SignalsHeld held;
    const LoaderLockForSanitizer lock;
    if (dladdr(&torchada_library, &self) == 0 || !self.dli_fname) return false;
  }
  MappedPath own;
  if (!own.resolve(self.dli_fname)) return false;
  path->append(own.c_str(), static_cast<size_t>(strrchr(own.c_str(), '/') - own.c_str()));
  return true;
}

bool in_base_namespace() {
  const SignalsHeld held;
  const LoaderLockForSanitizer lock;
  Dl_info info;
  void* own = nullptr;
  Lmid_t space = LM_ID_BASE;
  if (dladdr1(&torchada_library, &info, &own, RTLD_DL_LINKMAP) == 0 || !own) return true;
  return dlinfo(own, RTLD_DI_LMID, &space) != 0 || space == LM_ID_BASE;
}

void visit_objects(VisitObject visit, void* data) {
  // glibc does not free the lock of dl_iterate_phdr in a child of fork().
  if (was_cut_off()) return;
  const SignalsHeld held;
  const Unfinished unfinished;
  const LoaderLockForSanitizer lock;
  dl_iterate_phdr(visit, data);
}

}  // namespace torchada
