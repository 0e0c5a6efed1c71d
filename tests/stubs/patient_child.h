// Runs a part of a test in a child of fork() that may hang.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Seconds that one child may take, for a loaded machine. A child's own children get less, so that
// the innermost one that hangs is found.
inline int patience = 60;

// Exit status of a child that runs `body`, or the negated signal that ended it: -SIGKILL if it did
// not end in time.
template <typename Body>
int status_of(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    patience -= 20;
    _exit(body());
  }
  int status = 0;
  const time_t begun = time(nullptr);
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (time(nullptr) - begun > patience) kill(child, SIGKILL);
    usleep(200);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// A result of status_of as an exit status: `base` and the number of the signal if there was one.
inline int passed_on(int status, int base = 100) { return status < 0 ? base - status : status; }
