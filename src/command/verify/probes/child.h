// A second process for probes of what two processes share.
#pragma once

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <vector>

#include "src/command/verify/probe.h"

namespace torchada::verify {

// Runs `own` in a child process, which reports nothing. What it returns arrives here.
class Child {
 public:
  Child(Probing& p, const std::function<std::vector<unsigned char>(Probing&)>& own) {
    int there[2];
    int back[2];
    if (pipe(there) != 0 || pipe(back) != 0) throw Stop("no pipe");
    id_ = fork();
    if (id_ < 0) throw Stop("no process");
    if (id_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // A probe that hangs is killed.
      close(there[0]);
      close(back[1]);
      Probing quiet(p.facts(), p.files(), open("/dev/null", O_WRONLY | O_CLOEXEC));
      quiet.attempt([&] {
        const std::vector<unsigned char> told = own(quiet);
        if (write(there[1], told.data(), told.size()) < 0) _exit(1);
      });
      close(there[1]);
      char byte = 0;
      while (::read(back[0], &byte, 1) > 0) {
      }
      _exit(0);
    }
    close(there[1]);
    close(back[0]);
    in_ = there[0];
    end_ = back[1];
    std::vector<unsigned char> part(4096);
    for (ssize_t got = 1; got > 0;) {
      got = ::read(in_, part.data(), part.size());
      if (got > 0) message.insert(message.end(), part.begin(), part.begin() + got);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  // Lets the child end.
  ~Child() {
    close(end_);
    close(in_);
    waitpid(id_, nullptr, 0);
  }

  std::vector<unsigned char> message;

 private:
  pid_t id_ = -1;
  int in_ = -1;
  int end_ = -1;
};

}  // namespace torchada::verify
