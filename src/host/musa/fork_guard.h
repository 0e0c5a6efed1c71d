// Detects a child process, in which the inherited runtime is not usable.
#pragma once

#include <atomic>

namespace musa {

// Called once, when the runtime is created. After a fork, in_forked_child() is true in the child.
void arm_fork_guard();

inline std::atomic<bool> forked{false};
inline bool in_forked_child() { return forked.load(std::memory_order_relaxed); }

}  // namespace musa
