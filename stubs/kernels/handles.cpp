#include "stubs/kernels/handles.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

namespace torchada::kernels {
namespace {

// The context of each handle, null where there is none. A handle is the address of its place.
constexpr size_t kMost = size_t{1} << 17;
void** places;
size_t next_place;  // Places are used in turn, so that a handle is not used again at once.

// Null without memory.
void** reserve_places() {
  void** known = __atomic_load_n(&places, __ATOMIC_ACQUIRE);
  if (known) return known;
  void* const memory = mmap(nullptr, kMost * sizeof(void*), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (__atomic_compare_exchange_n(&places, &known, static_cast<void**>(memory), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return static_cast<void**>(memory);
  }
  munmap(memory, kMost * sizeof(void*));
  return known;
}

}  // namespace

void* make_handle(void* context) {
  void** const all = reserve_places();
  for (size_t tried = 0; all && tried < kMost; ++tried) {
    void** const place = all + __atomic_fetch_add(&next_place, 1, __ATOMIC_RELAXED) % kMost;
    void* present = nullptr;
    if (__atomic_compare_exchange_n(place, &present, context, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return place;
    }
  }
  return nullptr;
}

void* context_of_handle(const void* handle) {
  void** const all = __atomic_load_n(&places, __ATOMIC_ACQUIRE);
  const uintptr_t offset = reinterpret_cast<uintptr_t>(handle) - reinterpret_cast<uintptr_t>(all);
  if (!all || offset >= kMost * sizeof(void*) || offset % sizeof(void*) != 0) return nullptr;
  return __atomic_load_n(all + offset / sizeof(void*), __ATOMIC_ACQUIRE);
}

bool drop_handle(void* handle) {
  void* context = context_of_handle(handle);
  // Of two threads that drop it, one finds it gone.
  return context && __atomic_compare_exchange_n(static_cast<void**>(handle), &context, nullptr,
                                                false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

}  // namespace torchada::kernels
