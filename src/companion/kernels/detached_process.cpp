#include "src/companion/kernels/detached_process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>

#include "src/shared/folder_entry.h"
#include "src/shared/word_pointers.h"

namespace torchada {
namespace {

constexpr std::size_t kStack = 65536;

// What the two new processes share with this one, as vfork() would: the first is gone when this one
// goes on, and the second has begun the program by then.
struct Start {
  char* const* words;
  char* const* environment;
  int connection;
  char* second_stack;
  int error = 0;
};

// For kernels before 5.9. Closing one of them moves others, so it goes on until none is left.
void close_one_by_one(int first) {
  alignas(FolderEntry) char entries[4096];
  for (bool is_done = false; !is_done;) {
    is_done = true;
    const int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    for (long size; (size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
      for (long at = 0; at < size;) {
        const auto* const entry = reinterpret_cast<const FolderEntry*>(entries + at);
        const int number = std::atoi(entry->name);
        if (number >= first && number != folder) is_done = close(number) != 0 && is_done;
        at += entry->size;
      }
    }
    close(folder);
  }
}

void close_from(int first) {
  constexpr long kCloseRange = 436;
  if (syscall(kCloseRange, first, UINT_MAX, 0) != 0) close_one_by_one(first);
}

void set_descriptors(int connection) {
  const int empty = open("/dev/null", O_RDWR);
  dup2(empty, STDIN_FILENO);
  if (fcntl(STDERR_FILENO, F_GETFD) < 0) dup2(empty, STDERR_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  if (connection == kConnection) {
    fcntl(connection, F_SETFD, 0);
  } else {
    dup2(connection, kConnection);
  }
  close_from(kConnection + 1);
}

int become_program(void* data) {
  auto* const start = static_cast<Start*>(data);
  // Also what the program ignores: compilers must notice the end of theirs.
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(start->words[0], start->words, start->environment);
  start->error = errno;
  _exit(127);
}

int start_in_between(void* data) {
  auto* const start = static_cast<Start*>(data);
  setsid();  // Ctrl-C is for the program, which may go on.
  set_descriptors(start->connection);
  if (clone(become_program, start->second_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, start) < 0) {
    start->error = errno;
  }
  _exit(0);
}

// Keeps this thread's signals away from code that runs with a process's memory and is not its own.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsBlocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

int start_detached(const std::vector<std::string>& words,
                   const std::vector<std::string>& environment, int connection) {
  const std::vector<char*> program = word_pointers(words);
  const std::vector<char*> variables = word_pointers(environment);
  void* const stacks = mmap(nullptr, 2 * kStack, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED) return errno;
  char* const first_end = static_cast<char*>(stacks) + kStack;
  Start start{program.data(), variables.data(), connection, first_end + kStack};
  {
    const SignalsBlocked hold;
    // Without a signal for its end: only who asks for such children (__WCLONE) waits for it.
    const pid_t between = clone(start_in_between, first_end, CLONE_VM | CLONE_VFORK, &start);
    if (between < 0) start.error = errno;
    while (between > 0 && waitpid(between, nullptr, __WCLONE) < 0 && errno == EINTR) continue;
  }
  munmap(stacks, 2 * kStack);
  return start.error;
}

}  // namespace torchada
