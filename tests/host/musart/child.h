// A forked child, in which the runtime is unusable.
#ifndef TORCHADA_TESTS_HOST_MUSART_CHILD_H_
#define TORCHADA_TESTS_HOST_MUSART_CHILD_H_

#include <sys/wait.h>
#include <unistd.h>

// Runs `body` in a forked child and returns 0 if it returned true. The child cannot hang.
template <typename Body>
int in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif  // TORCHADA_TESTS_HOST_MUSART_CHILD_H_
