// What a program without faults never does. The tests of the watcher need it.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

#include "tests/long_run/work.h"

namespace {
void lose_memory() {
  // The C library would map larger blocks one by one: these are of the heap.
  for (int i = 0; i < 40; ++i) static_cast<void>(std::memset(new char[50'000], 1, 50'000));
}
void lose_descriptor() { static_cast<void>(!open("/dev/null", O_RDONLY | O_CLOEXEC)); }
void lose_thread() {
  std::thread([] { pause(); }).detach();
}
void lose_mapping() {
  // Every second page of its own protection, so that the kernel cannot join neighbours.
  auto* const pages =
      static_cast<char*>(mmap(nullptr, 2 * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  static_cast<void>(mprotect(pages, 4096, PROT_NONE));
}
void lose_child() {
  if (fork() == 0) _exit(0);
}
void lose_device_memory() {
  void* memory = nullptr;
  OK(cudaMalloc(&memory, 1 << 20));
}
}  // namespace

bool leak(const char* what) {
  const struct {
    const char* name;
    void (*lose)();
  } known[] = {{"memory", lose_memory}, {"descriptor", lose_descriptor},
               {"thread", lose_thread}, {"mapping", lose_mapping},
               {"child", lose_child},   {"device", lose_device_memory}};
  for (const auto& one : known) {
    if (std::string(what) != one.name) continue;
    one.lose();
    return true;
  }
  return false;
}
