#include "src/companion/thread_state.h"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>

namespace torchada {
namespace {

constexpr std::size_t kSize = sizeof(ThreadState);

ThreadState shared{nullptr, 0, nullptr, {nullptr, nullptr}, true, {nullptr, 0}};

std::atomic<void (*)()> work_at_end{nullptr};

void end(void* state);

// The key of every state; false if the C library has none left.
bool find_key(pthread_key_t* key) {
  static std::atomic<std::uint64_t> known{0};  // One more than the key, 0 until there is one.
  std::uint64_t found = known.load(std::memory_order_acquire);
  if (found == 0) {
    if (pthread_key_create(key, end) != 0) return false;
    if (known.compare_exchange_strong(found, std::uint64_t{*key} + 1)) return true;
    pthread_key_delete(*key);
  }
  *key = static_cast<pthread_key_t>(found - 1);
  return true;
}

void set_state(void* state) {
  pthread_key_t key{};
  if (find_key(&key)) pthread_setspecific(key, state);
}

void end(void* state) {
  // The C library has cleared the value before this call, but the records need the state.
  set_state(state);
  if (const auto work = work_at_end.load(std::memory_order_acquire)) work();
  const auto& externals = static_cast<ThreadState*>(state)->externals;
  if (externals.stacks) externals.drop(externals.stacks);
  set_state(nullptr);
  munmap(state, kSize);
}

// The threads for which a state is being made. Setting a key may call the program's malloc, which
// may call CUDA.
std::atomic<pthread_t> starting[256];

std::atomic<pthread_t>* begin_start(pthread_t self) {
  for (const std::atomic<pthread_t>& place : starting) {
    if (place.load(std::memory_order_relaxed) == self) return nullptr;
  }
  for (std::atomic<pthread_t>& place : starting) {
    pthread_t nobody = 0;
    if (place.compare_exchange_strong(nobody, self)) return &place;
  }
  return nullptr;
}

ThreadState& make_state(pthread_key_t key) {
  std::atomic<pthread_t>* const place = begin_start(pthread_self());
  if (!place) return shared;
  // Not malloc, which may be the program's.
  void* const memory =
      mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool is_kept = memory != MAP_FAILED && pthread_setspecific(key, memory) == 0;
  place->store(0, std::memory_order_relaxed);
  if (is_kept) return *static_cast<ThreadState*>(memory);
  if (memory != MAP_FAILED) munmap(memory, kSize);
  return shared;
}

}  // namespace

void at_end_of_threads(void (*work)()) { work_at_end.store(work, std::memory_order_release); }

ThreadState* known_thread_state() {
  pthread_key_t key{};
  return find_key(&key) ? static_cast<ThreadState*>(pthread_getspecific(key)) : nullptr;
}

ThreadState& thread_state() {
  pthread_key_t key{};
  if (!find_key(&key)) return shared;
  void* const known = pthread_getspecific(key);
  return known ? *static_cast<ThreadState*>(known) : make_state(key);
}

bool is_shared(const ThreadState& state) { return &state == &shared; }

void forget_other_threads() {
  for (std::atomic<pthread_t>& place : starting) place.store(0, std::memory_order_relaxed);
}

}  // namespace torchada
