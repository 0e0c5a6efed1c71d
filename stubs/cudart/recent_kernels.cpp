#include "stubs/cudart/recent_kernels.h"

#include <stddef.h>

namespace torchada {
namespace {

// One cache line, guarded by its version: odd while a thread writes it, and grown afterwards. All
// members are atomic, because others may read them meanwhile. A child of fork() in which it stays
// odd does without the entry.
struct alignas(64) Entry {
  uint64_t version;
  uint64_t generation;
  RecentKernel kernel;
};

constexpr size_t kEntries = 64;
Entry entries[kEntries];

Entry& entry_of(const void* host) {
  const auto bits = reinterpret_cast<uintptr_t>(host);
  return entries[(bits >> 3 ^ bits >> 9) % kEntries];
}

}  // namespace

bool has_recent_kernels;

void note_recent(const RecentKernel& kernel, uint64_t generation) {
  __atomic_store_n(&has_recent_kernels, true, __ATOMIC_RELAXED);
  Entry& entry = entry_of(kernel.host);
  uint64_t version = __atomic_load_n(&entry.version, __ATOMIC_RELAXED);
  if (version % 2 != 0 || !__atomic_compare_exchange_n(&entry.version, &version, version + 1, false,
                                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    return;
  }
  // Each release, so that whoever reads one of them also sees the odd version.
  __atomic_store_n(&entry.generation, generation, __ATOMIC_RELEASE);
  __atomic_store_n(&entry.kernel.host, kernel.host, __ATOMIC_RELEASE);
  __atomic_store_n(&entry.kernel.context, kernel.context, __ATOMIC_RELEASE);
  __atomic_store_n(&entry.kernel.function, kernel.function, __ATOMIC_RELEASE);
  __atomic_store_n(&entry.version, version + 2, __ATOMIC_RELEASE);
}

bool find_noted(const void* host, RecentKernel* found) {
  const Entry& entry = entry_of(host);
  const uint64_t version = __atomic_load_n(&entry.version, __ATOMIC_ACQUIRE);
  const uint64_t generation = __atomic_load_n(&entry.generation, __ATOMIC_ACQUIRE);
  found->host = __atomic_load_n(&entry.kernel.host, __ATOMIC_ACQUIRE);
  found->context = __atomic_load_n(&entry.kernel.context, __ATOMIC_ACQUIRE);
  found->function = __atomic_load_n(&entry.kernel.function, __ATOMIC_ACQUIRE);
  return version % 2 == 0 && version == __atomic_load_n(&entry.version, __ATOMIC_RELAXED) &&
         found->host == host && found->function && generation == code_generation();
}

}  // namespace torchada
