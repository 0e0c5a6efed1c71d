#include "stubs/cufft/plans.h"

#include <atomic>

namespace torchada::cufft {
namespace {

struct Place {
  std::atomic<void*> musa;  // Null if the place is free.
  std::atomic<void*> stream;
  std::atomic<bool> made;
};

// Programs keep at most thousands of plans, and PyTorch's cache keeps 4096 for each device.
// Untouched pages cost nothing. No lock is needed, so none can be left locked in a child of fork.
constexpr unsigned kPlaces = 1U << 16;

Place places[kPlaces];
std::atomic<unsigned> next_place{0};

// The mark of a place that a thread is filling.
char filling;

Place* place_of(int handle) {
  if (handle < 1 || static_cast<unsigned>(handle) > kPlaces) return nullptr;
  Place* const place = &places[handle - 1];
  void* const musa = place->musa.load(std::memory_order_acquire);
  return musa && musa != &filling ? place : nullptr;
}

}  // namespace

int add_plan(void* musa) {
  for (unsigned tried = 0; tried < kPlaces; ++tried) {
    const unsigned index = next_place.fetch_add(1, std::memory_order_relaxed) % kPlaces;
    Place& place = places[index];
    void* free = nullptr;
    if (!place.musa.compare_exchange_strong(free, &filling, std::memory_order_acq_rel)) continue;
    place.stream.store(nullptr, std::memory_order_relaxed);
    place.made.store(false, std::memory_order_relaxed);
    place.musa.store(musa, std::memory_order_release);
    return static_cast<int>(index) + 1;
  }
  return 0;
}

bool find_plan(int handle, Plan* plan) {
  const Place* const place = place_of(handle);
  if (!place) return false;
  plan->musa = place->musa.load(std::memory_order_acquire);
  plan->stream = place->stream.load(std::memory_order_acquire);
  plan->made = place->made.load(std::memory_order_acquire);
  return plan->musa && plan->musa != &filling;
}

void set_stream(int handle, void* stream) {
  if (Place* const place = place_of(handle)) place->stream.store(stream, std::memory_order_release);
}

void set_made(int handle) {
  if (Place* const place = place_of(handle)) place->made.store(true, std::memory_order_release);
}

void* remove_plan(int handle) {
  Place* const place = place_of(handle);
  if (!place) return nullptr;
  void* const musa = place->musa.load(std::memory_order_acquire);
  void* expected = musa;
  const bool removed =
      musa && musa != &filling &&
      place->musa.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel);
  return removed ? musa : nullptr;
}

}  // namespace torchada::cufft
