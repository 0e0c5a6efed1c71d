#include "src/host/mccl/per_process.h"

#include <pthread.h>
#include <unistd.h>

#include <array>

namespace host_mccl {
namespace {

constexpr int kWatched = 16384;
std::array<std::atomic<bool>, kWatched> ours;
std::atomic<unsigned> generation{0};

void after_fork() {
  generation.fetch_add(1, std::memory_order_relaxed);
  for (int descriptor = 0; descriptor < kWatched; ++descriptor) {
    if (ours[descriptor].exchange(false, std::memory_order_relaxed)) close(descriptor);
  }
}

[[gnu::constructor]] void arm() { pthread_atfork(nullptr, nullptr, after_fork); }

}  // namespace

unsigned fork_generation() { return generation.load(std::memory_order_relaxed); }

void close_in_children(int descriptor) {
  if (descriptor >= 0 && descriptor < kWatched) ours[descriptor].store(true);
}

void close_descriptor(int descriptor) {
  if (descriptor < 0) return;
  if (descriptor < kWatched) ours[descriptor].store(false);
  close(descriptor);
}

}  // namespace host_mccl
