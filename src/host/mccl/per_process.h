#pragma once

#include <atomic>

namespace host_mccl {

// How many forks separate this process from the one that loaded the library.
unsigned fork_generation();

// One object for each process. A forked child gets a new one, because the threads of the parent's
// object do not exist there and its locks may stay held forever. Never destroyed: threads and
// destructors of the program may still need it.
template <typename T>
T& per_process() {
  struct Made {
    unsigned generation;
    T object;
  };
  static std::atomic<Made*> made{nullptr};
  const unsigned generation = fork_generation();
  Made* found = made.load(std::memory_order_acquire);
  while (found == nullptr || found->generation != generation) {
    auto* const fresh = new Made{generation, {}};
    if (made.compare_exchange_strong(found, fresh, std::memory_order_acq_rel)) return fresh->object;
    delete fresh;
  }
  return found->object;
}

// Until it is closed, forked children close this descriptor. Otherwise a connection of a dead
// process would look alive as long as any of its children lives.
void close_in_children(int descriptor);
// Closes a descriptor, with or without close_in_children() before.
void close_descriptor(int descriptor);

}  // namespace host_mccl
