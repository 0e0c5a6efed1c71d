// A second process for probes of what two processes share.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <string>
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

// Runs `own` in a child process of its own, which may hang or crash: it is ended after `seconds`.
// What `own` says until then arrives here. Before it, the probe may not have called MUSA.
class Watched {
 public:
  using Say = std::function<void(const std::string&)>;

  Watched(Probing& p, int seconds, const std::function<void(Probing&, const Say&)>& own) {
    int ends[2];
    if (pipe(ends) != 0) throw Stop("no pipe");
    const pid_t id = fork();
    if (id < 0) throw Stop("no process");
    if (id == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      Probing quiet(p.facts(), p.files(), open("/dev/null", O_WRONLY | O_CLOEXEC));
      const Say say = [&](const std::string& text) {
        if (write(ends[1], text.data(), text.size()) < 0) _exit(1);
      };
      quiet.attempt([&] {
        try {
          own(quiet, say);
        } catch (const Stop& stop) {
          say(stop.what());
          _exit(1);
        }
      });
      _exit(0);
    }
    close(ends[1]);
    read_until(ends[0], std::chrono::steady_clock::now() + std::chrono::seconds(seconds));
    close(ends[0]);
    if (!ended) kill(id, SIGKILL);
    // A driver may hold a killed process back; it then stays until the probe's own end.
    waitpid(id, &status, ended ? 0 : WNOHANG);
  }

  std::string said;
  bool ended = false;  // By itself, in time.
  int status = 0;      // As waitpid says, if it ended.

 private:
  void read_until(int in, std::chrono::steady_clock::time_point end) {
    std::vector<char> part(4096);
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      pollfd wanted = {in, POLLIN, 0};
      if (left.count() <= 0 || poll(&wanted, 1, static_cast<int>(left.count())) <= 0) return;
      const ssize_t got = ::read(in, part.data(), part.size());
      ended = got <= 0;
      if (ended) return;
      said.append(part.data(), static_cast<std::size_t>(got));
    }
  }
};

}  // namespace torchada::verify
