#include "src/command/recipes/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "src/shared/split.h"
#include "src/shared/word_pointers.h"

namespace torchada::recipes {
namespace {

// All signals as they are for a program that a shell starts.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

class Streams {
 public:
  explicit Streams(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
  }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

constexpr int kNotFound = 127;

std::string text_from(int descriptor) {
  std::string out;
  char piece[4096];
  for (;;) {
    const ssize_t count = read(descriptor, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return out;
    out.append(piece, static_cast<std::size_t>(count));
  }
}

}  // namespace

ChildEnd run_child(const std::vector<std::string>& words, std::atomic<int>* child) {
  const std::vector<char*> arguments = word_pointers(words);
  int ends[2];
  ChildEnd out;
  if (pipe2(ends, O_CLOEXEC) != 0) {
    out.messages = std::strerror(errno);
    return out;
  }
  pid_t number = 0;
  const int failed = posix_spawnp(&number, arguments[0], Streams(ends[1]).get(), Attributes().get(),
                                  arguments.data(), environ);
  close(ends[1]);
  if (failed != 0) {
    out.messages = words[0] + ": " + std::strerror(failed);
  } else {
    *child = number;
    out.messages = text_from(ends[0]);
    // Still there to be waited for, so that its number is no other's.
    siginfo_t end;
    while (waitid(P_PID, static_cast<id_t>(number), &end, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    *child = 0;
    while (waitpid(number, &out.status, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  return out;
}

int run_shown(const std::vector<std::string>& words, const std::string& folder) {
  const std::vector<char*> arguments = word_pointers(words);
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.c_str()) == 0) execvp(arguments[0], arguments.data());
    dprintf(STDERR_FILENO, "%s: %s\n", arguments[0], std::strerror(errno));
    _exit(kNotFound);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

bool is_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0;
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "/usr/bin:/bin" : path, ":")) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace torchada::recipes
