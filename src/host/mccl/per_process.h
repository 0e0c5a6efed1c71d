#pragma once

#include <atomic>

namespace host_mccl {

// How many forks lie between this process and the one that loaded the library.
unsigned fork_generation();

// An object of each process: a forked child begins with a new one, because the threads behind its
// parent's are not there and its locks may be held forever. Never destroyed: threads and
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

// From now until it is closed, a forked child closes this descriptor: otherwise the connections of
// a dead process would look alive as long as any child of it lives.
void close_in_children(int descriptor);
// Closes a descriptor, whether or not the above was called for it.
void close_descriptor(int descriptor);

}  // namespace host_mccl
