// Handles that a library gave to the program and that are not yet destroyed. Whether a handle is
// one of them is found without touching what it points to.
#pragma once

#include <atomic>

namespace torchada {

// Has room for that many. Of static lifetime: pages that no handle has needed cost nothing. Without
// a lock, so none can be left locked in a child of fork.
template <unsigned most>
class KnownHandles {
 public:
  bool knows(const void* handle) const { return place_of(handle) != nullptr; }

  // False if there is no room for another one.
  bool remember(void* handle) {
    if (knows(handle)) return true;
    for (unsigned i = 0; i < most; ++i) {
      void* empty = nullptr;
      if (!places_[i].compare_exchange_strong(empty, handle, std::memory_order_acq_rel)) continue;
      unsigned end = used_.load(std::memory_order_acquire);
      while (end < i + 1 && !used_.compare_exchange_weak(end, i + 1, std::memory_order_acq_rel)) {
      }
      return true;
    }
    return false;
  }

  // False if it is not known. If several threads forget the same handle, one succeeds.
  bool forget(void* handle) {
    std::atomic<void*>* const place = place_of(handle);
    void* expected = handle;
    return place && place->compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel);
  }

 private:
  std::atomic<void*>* place_of(const void* handle) const {
    if (!handle) return nullptr;
    const unsigned end = used_.load(std::memory_order_acquire);
    for (unsigned i = 0; i < end; ++i) {
      if (places_[i].load(std::memory_order_acquire) == handle) return &places_[i];
    }
    return nullptr;
  }

  mutable std::atomic<void*> places_[most];
  std::atomic<unsigned> used_{0};  // Places from here on were never taken.
};

}  // namespace torchada
