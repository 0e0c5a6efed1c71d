// Tells a child process that the runtime it inherited is not usable.
#ifndef TORCHADA_HOST_MUSART_FORK_GUARD_H_
#define TORCHADA_HOST_MUSART_FORK_GUARD_H_

namespace musart {

// Called once, when the runtime comes into being: from then on a fork makes in_forked_child() true
// in the child.
void arm_fork_guard();
bool in_forked_child();

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_FORK_GUARD_H_
