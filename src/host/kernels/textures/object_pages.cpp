#include "src/host/kernels/textures/object_pages.h"

#include <sys/mman.h>

#include <new>

namespace musa {

// Addresses alone: a page takes memory while it is in use.
std::uintptr_t ObjectPages::first() {
  std::uintptr_t known = first_.load();
  if (known != 0) return known;
  void* const made =
      mmap(nullptr, kRange, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) throw std::bad_alloc();
  const auto mine = reinterpret_cast<std::uintptr_t>(made);
  if (first_.compare_exchange_strong(known, mine)) return mine;
  munmap(made, kRange);  // Another thread was first.
  return known;
}

std::uintptr_t ObjectPages::next() {
  const std::uintptr_t page = first() + (last_ += kPage) % kRange;
  if (mprotect(reinterpret_cast<void*>(page), kPage, PROT_READ | PROT_WRITE) != 0) {
    throw std::bad_alloc();
  }
  return page;
}

void ObjectPages::give_back(std::uintptr_t page) {
  auto* const memory = reinterpret_cast<void*>(page);
  madvise(memory, kPage, MADV_DONTNEED);
  mprotect(memory, kPage, PROT_NONE);
}

}  // namespace musa
