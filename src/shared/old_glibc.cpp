// What libstdc++ and the compiler's start-up files need of newer glibc, by what glibc 2.17 has.
// Linked into the companion and the command, so that they run wherever the replacement libraries
// do; a test reads the versions. A build on a system before glibc 2.34 needs little of it.
#include <dlfcn.h>
#include <features.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/shared/machine.h"

#if defined(__x86_64__)
#define JUMP_TO(name) "endbr64\njmp *" name "@GOTPCREL(%rip)\n"
constexpr int kStatVersion = 1;
#else
#define JUMP_TO(name) "adrp x16, :got:" name "\nldr x16, [x16, :got_lo12:" name "]\nbr x16\n"
constexpr int kStatVersion = 0;
#endif
#define OLD(name, version) __asm__(".symver old_" #name "," #name "@" version)

// The function as it was before it moved to libc.so.6, or changed.
#define MOVED(name) MOVED_SINCE(name, TORCHADA_BASE_GLIBC)
#define MOVED_SINCE(name, version)                                                              \
  OLD(name, version);                                                                           \
  __asm__(".pushsection .text.old_" #name ",\"ax\",@progbits\n.globl " #name "\n.hidden " #name \
          "\n.type " #name ",@function\n" #name ":\n" JUMP_TO("old_" #name) ".popsection")

#define HIDDEN __attribute__((visibility("hidden")))

#if __GLIBC_PREREQ(2, 27)
MOVED(glob);
#endif

#if __GLIBC_PREREQ(2, 34)
MOVED(__pthread_key_create);
MOVED(dladdr);
MOVED(dlclose);
MOVED(dlerror);
MOVED(dlopen);
MOVED(dlsym);
MOVED(pthread_create);
MOVED(pthread_detach);
MOVED(pthread_getspecific);
MOVED(pthread_join);
MOVED(pthread_key_create);
MOVED(pthread_key_delete);
MOVED(pthread_mutex_trylock);
MOVED(pthread_once);
MOVED(pthread_rwlock_destroy);
MOVED(pthread_rwlock_init);
MOVED(pthread_rwlock_rdlock);
MOVED(pthread_rwlock_unlock);
MOVED(pthread_rwlock_wrlock);
MOVED(pthread_setspecific);
MOVED(sem_init);
MOVED(sem_post);
MOVED(sem_timedwait);
#if defined(__x86_64__)
MOVED_SINCE(dladdr1, "GLIBC_2.3.3");
MOVED_SINCE(dlinfo, "GLIBC_2.3.3");
#else
MOVED(dladdr1);
MOVED(dlinfo);
#endif

extern "C" {

OLD(__fxstat, TORCHADA_BASE_GLIBC);
OLD(__fxstat64, TORCHADA_BASE_GLIBC);
OLD(__lxstat, TORCHADA_BASE_GLIBC);
OLD(__xstat, TORCHADA_BASE_GLIBC);
int old___fxstat(int, int, void*);
int old___fxstat64(int, int, void*);
int old___lxstat(int, const char*, void*);
int old___xstat(int, const char*, void*);
HIDDEN int fstat(int file, void* out) { return old___fxstat(kStatVersion, file, out); }
HIDDEN int fstat64(int file, void* out) { return old___fxstat64(kStatVersion, file, out); }
HIDDEN int lstat(const char* path, void* out) { return old___lxstat(kStatVersion, path, out); }
HIDDEN int stat(const char* path, void* out) { return old___xstat(kStatVersion, path, out); }

// Threads may be there at any time.
HIDDEN char __libc_single_threaded = 0;

// Before 2.34, the program itself passed the function that runs its constructors.
using Main = int(int, char**, char**);
OLD(__libc_start_main, TORCHADA_BASE_GLIBC);
int old___libc_start_main(Main*, int, char**, Main*, void (*)(), void (*)(), void*);
extern HIDDEN __attribute__((weak)) Main* __init_array_start[];
extern HIDDEN __attribute__((weak)) Main* __init_array_end[];
static int run_constructors(int count, char** words, char** variables) {
  for (Main** each = __init_array_start; each != __init_array_end; ++each) {
    (*each)(count, words, variables);
  }
  return 0;
}
HIDDEN int __libc_start_main(Main* main, int count, char** words, Main* /*constructors*/,
                             void (*destructors)(), void (*end_of_loader)(), void* stack) {
  return old___libc_start_main(main, count, words, run_constructors, destructors, end_of_loader,
                               stack);
}
}
#endif

extern "C" {

HIDDEN int memfd_create(const char* name, unsigned flags) {
  return static_cast<int>(syscall(SYS_memfd_create, name, flags));
}

HIDDEN int getentropy(void* out, size_t size) {
  return syscall(SYS_getrandom, out, size, 0) == static_cast<long>(size) ? 0 : -1;
}

HIDDEN unsigned arc4random() {
  unsigned out = 0;
  if (getentropy(&out, sizeof out) != 0) __builtin_trap();
  return out;
}

#if __GLIBC_PREREQ(2, 35)
// By this, the unwinder of the compiler finds the tables of a file. Zero if found.
static int visit(dl_phdr_info* file, size_t /*size*/, void* data) {
  auto* out = static_cast<dl_find_object*>(data);
  const auto wanted = reinterpret_cast<ElfW(Addr)>(out->dlfo_map_start);
  bool is_it = false;
  ElfW(Addr) first = ~ElfW(Addr){0}, end = 0, tables = 0;
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    const ElfW(Addr) start = file->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_EH_FRAME) tables = start;
    if (part.p_type != PT_LOAD) continue;
    if (start < first) first = start;
    if (start + part.p_memsz > end) end = start + part.p_memsz;
    is_it |= wanted >= start && wanted < start + part.p_memsz;
  }
  if (!is_it || tables == 0) return is_it ? -1 : 0;
  out->dlfo_map_start = reinterpret_cast<void*>(first);
  out->dlfo_map_end = reinterpret_cast<void*>(end);
  out->dlfo_eh_frame = reinterpret_cast<void*>(tables);
  return 1;
}
HIDDEN int _dl_find_object(void* address, dl_find_object* out) noexcept {
  *out = {};
  out->dlfo_map_start = address;
  return dl_iterate_phdr(visit, out) == 1 ? 0 : -1;
}
#endif
}
