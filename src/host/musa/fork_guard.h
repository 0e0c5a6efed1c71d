// Detects a child process, in which the inherited runtime is not usable.
#pragma once

namespace musa {

// Called once, when the runtime is created. After a fork, in_forked_child() is true in the child.
void arm_fork_guard();
bool in_forked_child();

}  // namespace musa
