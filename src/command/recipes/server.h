// torchada kernels serve: makes kernels for one process, which asks over a socket.
//
// A request is one message with the descriptor on which the answer goes, a pipe's. Its lines: make,
// the source as the kernel's name tells it, kernel or variable, the name as registered. The answer
// is one line:
//   image <made|kept> <milliseconds> <path>
//   none <reason>           no recipe has anything of that name
//   failed <reason>         the first error of the compiler
#pragma once

#include <string>

namespace torchada::recipes {

// Until the other end of the socket closes. Returns the exit status. `recipes`: one or more, with
// colons between them; the first one that has a kernel makes it. One that cannot be used is what
// every request is answered with.
int serve(const std::string& recipes, int socket);

}  // namespace torchada::recipes
