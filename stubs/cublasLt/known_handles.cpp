#include "stubs/cublasLt/known_handles.h"

#include <atomic>

namespace torchada {
namespace {

// A program has a few handles for each device and thread. Untouched pages cost nothing.
constexpr unsigned kPlaces = 4096;

std::atomic<void*> places[kPlaces];
std::atomic<unsigned> used{0};  // Places from here on were never taken.

std::atomic<void*>* place_of(const void* handle) {
  const unsigned end = used.load(std::memory_order_acquire);
  for (unsigned i = 0; i < end; ++i) {
    if (places[i].load(std::memory_order_acquire) == handle) return &places[i];
  }
  return nullptr;
}

}  // namespace

bool is_known_handle(const void* handle) { return place_of(handle) != nullptr; }

bool remember_handle(void* handle) {
  if (is_known_handle(handle)) return true;
  for (unsigned i = 0; i < kPlaces; ++i) {
    void* empty = nullptr;
    if (!places[i].compare_exchange_strong(empty, handle, std::memory_order_acq_rel)) continue;
    unsigned end = used.load(std::memory_order_acquire);
    while (end < i + 1 && !used.compare_exchange_weak(end, i + 1, std::memory_order_acq_rel)) {
    }
    return true;
  }
  return false;
}

bool forget_handle(void* handle) {
  std::atomic<void*>* place = place_of(handle);
  void* expected = handle;
  return place && place->compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel);
}

}  // namespace torchada
