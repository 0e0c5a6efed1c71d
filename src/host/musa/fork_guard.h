// Detects a child process, in which the inherited runtime is not usable.
#ifndef TORCHADA_HOST_MUSA_FORK_GUARD_H_
#define TORCHADA_HOST_MUSA_FORK_GUARD_H_

namespace musa {

// Called once, when the runtime is created. After a fork, in_forked_child() is true in the child.
void arm_fork_guard();
bool in_forked_child();

}  // namespace musa

#endif  // TORCHADA_HOST_MUSA_FORK_GUARD_H_
