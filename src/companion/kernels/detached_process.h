// Starts a program that this process does not know as its child.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// The descriptor by which the started program has `connection`.
inline constexpr int kConnection = 3;

// Starts words[0], a path. It has `connection`, which is above 2, /dev/null as its input, and the
// standard error of this process for all that it prints; no other descriptor, no handler of a
// signal, and no terminal. This process gets no SIGCHLD for it, and no wait() finds it, unless
// orphans become children of this process. Returns a number of errno, or 0.
int start_detached(const std::vector<std::string>& words,
                   const std::vector<std::string>& environment, int connection);

}  // namespace torchada
