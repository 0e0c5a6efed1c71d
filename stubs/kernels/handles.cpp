#include "stubs/kernels/handles.h"

#include <stdint.h>
#include <sys/mman.h>

namespace torchada::kernels {
namespace {

HandleTable names;

}  // namespace

// Null without memory.
void** HandleTable::reserve_places() {
  void** known = __atomic_load_n(&places_, __ATOMIC_ACQUIRE);
  if (known) return known;
  void* const memory = mmap(nullptr, kMost * sizeof(void*), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (__atomic_compare_exchange_n(&places_, &known, static_cast<void**>(memory), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return static_cast<void**>(memory);
  }
  munmap(memory, kMost * sizeof(void*));
  return known;
}

void* HandleTable::make(void* value) {
  void** const all = reserve_places();
  for (size_t tried = 0; all && tried < kMost; ++tried) {
    void** const place = all + __atomic_fetch_add(&next_place_, 1, __ATOMIC_RELAXED) % kMost;
    void* present = nullptr;
    if (__atomic_compare_exchange_n(place, &present, value, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return place;
    }
  }
  return nullptr;
}

void* HandleTable::value_of(const void* handle) {
  void** const all = __atomic_load_n(&places_, __ATOMIC_ACQUIRE);
  const uintptr_t offset = reinterpret_cast<uintptr_t>(handle) - reinterpret_cast<uintptr_t>(all);
  if (!all || offset >= kMost * sizeof(void*) || offset % sizeof(void*) != 0) return nullptr;
  return __atomic_load_n(all + offset / sizeof(void*), __ATOMIC_ACQUIRE);
}

void* HandleTable::drop(void* handle) {
  void* value = value_of(handle);
  const bool is_dropped =
      value && __atomic_compare_exchange_n(static_cast<void**>(handle), &value, nullptr, false,
                                           __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  return is_dropped ? value : nullptr;
}

void* make_handle(void* context) { return names.make(context); }

void* context_of_handle(const void* handle) { return names.value_of(handle); }

bool drop_handle(void* handle) { return names.drop(handle) != nullptr; }

}  // namespace torchada::kernels
