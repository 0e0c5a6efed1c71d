// Functions of the C library that replacement libraries bring along. Each one that they name costs
// the loader a search through all libraries of the program, about 700 instructions, whenever it
// loads a replacement library. These are short, and the version scripts hide them.
//
// They use general registers only, so that guards may call them (arch/). Compiled by
// ThreadSanitizer, the libraries use the C library's, which ThreadSanitizer knows.
#ifndef __SANITIZE_THREAD__

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "move_bytes.h"
#include "stubs/system/system_call.h"

// Otherwise the compiler finds out that strlen is a strlen, and calls it.
#pragma GCC optimize("no-tree-loop-distribute-patterns")

extern char** environ;

namespace {

using torchada::system_call;

// The answer as the C library gives it: -1 and errno for an error.
int64_t or_errno(int64_t answer) {
  if (answer >= 0 || answer < -4095) return answer;
  errno = static_cast<int>(-answer);
  return -1;
}

int int_or_errno(int64_t answer) { return static_cast<int>(or_errno(answer)); }

void* address_or_errno(int64_t answer) { return reinterpret_cast<void*>(or_errno(answer)); }

bool is_one_of(char character, const char* list) {
  for (; *list; ++list) {
    if (*list == character) return true;
  }
  return false;
}

}  // namespace

// string.h

extern "C" void* memcpy(void* to, const void* from, size_t size) {
  torchada::copy_bytes(to, from, size);
  return to;
}

extern "C" void* memmove(void* to, const void* from, size_t size) {
  if (to <= from) return memcpy(to, from, size);
  while (size-- != 0) static_cast<char*>(to)[size] = static_cast<const char*>(from)[size];
  return to;
}

extern "C" void* memset(void* to, int value, size_t size) {
  torchada::fill_bytes(to, value, size);
  return to;
}

extern "C" int memcmp(const void* a, const void* b, size_t size) {
  const auto* one = static_cast<const unsigned char*>(a);
  const auto* other = static_cast<const unsigned char*>(b);
  for (; size != 0; --size, ++one, ++other) {
    if (*one != *other) return *one - *other;
  }
  return 0;
}

extern "C" void* memmem(const void* in, size_t size, const void* wanted, size_t length) {
  const char* at = static_cast<const char*>(in);
  for (; size >= length; ++at, --size) {
    if (memcmp(at, wanted, length) == 0) return const_cast<char*>(at);
  }
  return nullptr;
}

extern "C" size_t strnlen(const char* text, size_t most) {
  size_t length = 0;
  while (length < most && text[length]) ++length;
  return length;
}

// Whole words from an address that is a multiple of their size: none of them crosses a page. The
// walk through the loaded objects asks for the end of each path.
extern "C" __attribute__((no_sanitize("address"))) size_t strlen(const char* text) {
  using Word __attribute__((may_alias)) = uint64_t;
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const char* at = text;
  for (; reinterpret_cast<uintptr_t>(at) % sizeof(Word) != 0; ++at) {
    if (!*at) return static_cast<size_t>(at - text);
  }
  for (const Word* word = reinterpret_cast<const Word*>(at);; ++word) {
    // The lowest byte that is marked is zero; higher ones may be 1.
    const uint64_t zeros = (*word - kOnes) & ~*word & kHigh;
    if (zeros == 0) continue;
    const int place = __builtin_ctzll(zeros) / 8;
    return static_cast<size_t>(reinterpret_cast<const char*>(word) - text + place);
  }
}

extern "C" int strncmp(const char* a, const char* b, size_t most) {
  for (; most != 0 && *a && *a == *b; --most) ++a, ++b;
  return most == 0 ? 0 : static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
}

extern "C" int strcmp(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
}

extern "C" size_t strcspn(const char* text, const char* stop) {
  size_t length = 0;
  while (text[length] && !is_one_of(text[length], stop)) ++length;
  return length;
}

extern "C" size_t strspn(const char* text, const char* accepted) {
  size_t length = 0;
  while (text[length] && is_one_of(text[length], accepted)) ++length;
  return length;
}

// In C++ these have two declarations each, so they are defined by their names in the object file.

extern "C" char* own_strchr(const char* text, int wanted) __asm__("strchr");
extern "C" char* own_strchr(const char* text, int wanted) {
  for (;; ++text) {
    if (*text == static_cast<char>(wanted)) return const_cast<char*>(text);
    if (!*text) return nullptr;
  }
}

extern "C" char* own_strrchr(const char* text, int wanted) __asm__("strrchr");
extern "C" char* own_strrchr(const char* text, int wanted) {
  for (const char* at = text + strlen(text);; --at) {
    if (*at == static_cast<char>(wanted)) return const_cast<char*>(at);
    if (at == text) return nullptr;
  }
}

extern "C" char* own_strstr(const char* text, const char* wanted) __asm__("strstr");
extern "C" char* own_strstr(const char* text, const char* wanted) {
  const size_t length = strlen(wanted);
  for (;; ++text) {
    const bool may_begin = length == 0 || *text == *wanted;
    if (may_begin && strncmp(text, wanted, length) == 0) return const_cast<char*>(text);
    if (!*text) return nullptr;
  }
}

extern "C" void* own_memchr(const void* in, int wanted, size_t size) __asm__("memchr");
extern "C" void* own_memchr(const void* in, int wanted, size_t size) {
  const auto* at = static_cast<const unsigned char*>(in);
  for (; size != 0; --size, ++at) {
    if (*at == static_cast<unsigned char>(wanted)) return const_cast<unsigned char*>(at);
  }
  return nullptr;
}

// stdlib.h

extern "C" char* getenv(const char* name) {
  for (char** entry = environ; entry && *entry; ++entry) {
    if (**entry != *name) continue;
    size_t length = 1;
    while (name[length] && (*entry)[length] == name[length]) ++length;
    if (!name[length] && (*entry)[length] == '=') return *entry + length + 1;
  }
  return nullptr;
}

extern "C" char* secure_getenv(const char* name) {
  static uint8_t known;  // One more than whether the program is setuid.
  if (__atomic_load_n(&known, __ATOMIC_RELAXED) == 0) {
    __atomic_store_n(&known, getauxval(AT_SECURE) == 0 ? 1 : 2, __ATOMIC_RELAXED);
  }
  return __atomic_load_n(&known, __ATOMIC_RELAXED) == 1 ? getenv(name) : nullptr;
}

// unistd.h, fcntl.h, sys/mman.h and sys/uio.h. No thread is cancelled in these.

extern "C" int access(const char* path, int mode) {
  return int_or_errno(system_call(SYS_faccessat, AT_FDCWD, path, mode));
}

extern "C" int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, unsigned);  // The kernel ignores it if no file is made.
  va_end(more);
  return int_or_errno(system_call(SYS_openat, AT_FDCWD, path, flags, mode));
}

extern "C" int fcntl(int file, int command, ...) {
  va_list more;
  va_start(more, command);
  const auto argument = va_arg(more, uint64_t);
  va_end(more);
  return int_or_errno(system_call(SYS_fcntl, file, command, argument));
}

extern "C" int close(int file) { return int_or_errno(system_call(SYS_close, file)); }

extern "C" ssize_t pread(int file, void* to, size_t size, off_t at) {
  return or_errno(system_call(SYS_pread64, file, to, size, at));
}

extern "C" ssize_t write(int file, const void* from, size_t size) {
  return or_errno(system_call(SYS_write, file, from, size));
}

extern "C" ssize_t writev(int file, const iovec* parts, int count) {
  return or_errno(system_call(SYS_writev, file, parts, count));
}

extern "C" off_t lseek(int file, off_t offset, int from) {
  return or_errno(system_call(SYS_lseek, file, offset, from));
}

extern "C" void* mmap(void* address, size_t size, int protection, int flags, int file, off_t at) {
  return address_or_errno(system_call(SYS_mmap, address, size, protection, flags, file, at));
}

extern "C" int munmap(void* address, size_t size) {
  return int_or_errno(system_call(SYS_munmap, address, size));
}

extern "C" void* mremap(void* address, size_t size, size_t wanted, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto target = va_arg(more, uint64_t);
  va_end(more);
  return address_or_errno(system_call(SYS_mremap, address, size, wanted, flags, target));
}

extern "C" ssize_t readlink(const char* path, char* to, size_t size) {
  return or_errno(system_call(SYS_readlinkat, AT_FDCWD, path, to, size));
}

extern "C" int socket(int family, int type, int protocol) {
  return int_or_errno(system_call(SYS_socket, family, type, protocol));
}

extern "C" int bind(int file, const sockaddr* address, socklen_t size) {
  return int_or_errno(system_call(SYS_bind, file, address, size));
}

extern "C" pid_t getpid() { return static_cast<pid_t>(system_call(SYS_getpid)); }

extern "C" int usleep(useconds_t microseconds) {
  const timespec time{microseconds / 1000000, static_cast<long>(microseconds % 1000000) * 1000};
  return int_or_errno(system_call(SYS_nanosleep, &time));
}

// signal.h. The kernel's set is one word, the first of sigset_t.

extern "C" int sigemptyset(sigset_t* set) {
  *set = sigset_t{};
  return 0;
}

extern "C" int sigaddset(sigset_t* set, int number) {
  *reinterpret_cast<uint64_t*>(set) |= uint64_t{1} << (number - 1);
  return 0;
}

extern "C" int sigismember(const sigset_t* set, int number) {
  return static_cast<int>(*reinterpret_cast<const uint64_t*>(set) >> (number - 1) & 1);
}

extern "C" int sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  return int_or_errno(system_call(SYS_rt_sigprocmask, how, set, before, sizeof(uint64_t)));
}

extern "C" int sigpending(sigset_t* set) {
  return int_or_errno(system_call(SYS_rt_sigpending, set, sizeof(uint64_t)));
}

extern "C" int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  return int_or_errno(system_call(SYS_rt_sigtimedwait, set, info, time, sizeof(uint64_t)));
}

#endif
