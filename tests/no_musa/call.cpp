#include "tests/no_musa/call.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace no_musa {
namespace {

constexpr std::size_t kPage = 4096;

struct StackWindow {
  std::uint64_t words[kStackWords];
};
// More than two words, so that it is passed on the stack, where the seventh integer would be.
static_assert(sizeof(StackWindow) > 16);

struct Returned {
  std::uint64_t rax;
  double xmm0;
};

// Sets every register and stack word that may carry an argument; returns both kinds of result
// register.
using AnyFunction = Returned (*)(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                 std::uint64_t, std::uint64_t, double, double, double, double,
                                 double, double, double, double, StackWindow);

// Scratch pages alternate with inaccessible pages. They start read-only: the first write to one is
// noted and then allowed, so that writing zeros is noticed too.
struct Scratch {
  char* begin = nullptr;
  std::size_t pages = 0;
  Outcome* outcome = nullptr;

  char* page(std::size_t i) const { return begin + (2 * i + 1) * kPage; }
};
Scratch scratch;

void on_fault(int, siginfo_t* info, void*) {
  const char* address = static_cast<const char*>(info->si_addr);
  for (std::size_t i = 0; i < scratch.pages; ++i) {
    if (address < scratch.page(i) || address >= scratch.page(i) + kPage) continue;
    if (scratch.outcome->written & (1u << i)) break;
    scratch.outcome->written |= 1u << i;
    mprotect(scratch.page(i), kPage, PROT_READ | PROT_WRITE);
    return;
  }
  signal(SIGSEGV, SIG_DFL);  // The repeated instruction then ends the process.
}

void prepare_scratch(std::size_t pages, Outcome* out) {
  scratch.pages = pages;
  scratch.outcome = out;
  void* memory = mmap(nullptr, (2 * pages + 1) * kPage, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) _exit(1);
  scratch.begin = static_cast<char*>(memory);
  for (std::size_t i = 0; i < pages; ++i) mprotect(scratch.page(i), kPage, PROT_READ);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
}

// Isolates the call: it must not affect anything outside, and nothing outside may affect it.
void isolate() {
  setpgid(0, 0);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const int null = open("/dev/null", O_RDWR);
  for (int standard = 0; standard < 3; ++standard) dup2(null, standard);
  if (chdir("/proc") != 0) _exit(1);  // No file can be created there.
}

void copy_text(const Returned& returned, Outcome* out) {
  const char* text = reinterpret_cast<const char*>(returned.rax);
  out->is_null = !text;
  if (text) strncpy(out->text, text, sizeof out->text - 1);
}

[[noreturn]] void run(const Call& call, Outcome* out) {
  isolate();
  std::uint64_t integers[kIntegerRegisters] = {};
  StackWindow stack = {};
  if (!call.pointers.empty()) prepare_scratch(call.pointers.size(), out);
  for (std::size_t i = 0; i < call.pointers.size(); ++i) {
    const PointerPlace& place = call.pointers[i];
    (place.on_stack ? stack.words : integers)[place.index] =
        reinterpret_cast<std::uint64_t>(scratch.page(i));
  }
  const Returned returned = reinterpret_cast<AnyFunction>(call.function)(
      integers[0], integers[1], integers[2], integers[3], integers[4], integers[5], 0, 0, 0, 0, 0,
      0, 0, 0, stack);
  out->rax = returned.rax;
  out->xmm0 = returned.xmm0;
  if (call.result_is_text) copy_text(returned, out);
  out->ending = Ending::kReturned;
  if (call.peek_last_error) {
    out->peeked = static_cast<std::uint32_t>(call.peek_last_error());
    out->got = static_cast<std::uint32_t>(call.get_last_error());
    out->has_last_error = true;
  }
  _exit(0);
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

void call_in_child(const Call& call, int seconds, Outcome* out) {
  *out = Outcome();
  if (call.pointers.size() > 8 * sizeof out->written) throw std::length_error("pointers of a call");
  int ends[2];  // The child's end closes when the child is gone.
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) run(call, out);
  close(ends[1]);
  pollfd waiting = {ends[0], POLLIN, 0};
  const bool late = poll(&waiting, 1, seconds * 1000) == 0;
  close(ends[0]);
  if (late) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  // A process that the call started may have outlived the child.
  kill(-child, SIGKILL);
  if (out->ending == Ending::kReturned) return;
  out->ending = late ? Ending::kTimeout : WIFSIGNALED(status) ? Ending::kSignal : Ending::kExited;
  out->detail = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace no_musa
