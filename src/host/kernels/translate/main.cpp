// torchada-kernels: makes an image of device code for the CPU stand-in. `torchada kernels build
// --backend=host` runs it; it is a program of its own because only this needs LLVM.
//   torchada-kernels --headers=FOLDER --output=IMAGE [--arch=mp_31] [-std=c++17] [--jobs=N]
//   [--cache=FOLDER] [--cpu-level=baseline] [--kernel=NAME...] [--variable=NAME...]
//   [--whole-if-variables] [--seconds=N] [FLAG...] -- SOURCE...
// FLAG: of the compiler (-I, -D, -U, -isystem, -include); -w: no warnings.
// --kernel, --variable: only these are made (request.h), of a source that is kept in the cache.
// Status 4: a source has not all of them. --seconds: how long each compiler may compute.
//
//   torchada-kernels --front-end-only --cache=FOLDER --headers=FOLDER [FLAG...] -- SOURCE...
// puts sources into the cache, of which parts are made later.
//
//   torchada-kernels --seal=IMAGE
// judges an image that was linked by hand, and writes size and checksum into it.
//
// libmtrtc runs it as well, with the options of Request's second part (request.h).
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>

#include "src/host/kernels/translate/build.h"

namespace {

namespace fs = std::filesystem;
using kernels::Request;

// Builds in a process group of its own, so that this process can end the compilers and remove the
// folder when the user interrupts it, or when LLVM fails. Returns the exit status. `interrupted`:
// the user's signal, or 0.
int build_in_child(const Request& request, const std::string& folder, int* interrupted) {
  sigset_t awaited, before;
  sigemptyset(&awaited);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    struct sigaction action;
    sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&awaited, number);
  }
  sigprocmask(SIG_BLOCK, &awaited, &before);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_FAILURE);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    setenv("TMPDIR", folder.c_str(), 1);  // of the compilers
    _exit(kernels::build_image(request, folder));
  }
  if (child < 0) {
    std::perror("torchada kernels build: fork");
    return EXIT_FAILURE;
  }
  setpgid(child, child);
  int status = 0;
  *interrupted = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    int number = 0;
    if (sigwait(&awaited, &number) != 0 || number == SIGCHLD) continue;
    *interrupted = number;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    break;
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  if (*interrupted == 0) {
    std::cerr << "torchada kernels build: it ended with signal " << WTERMSIG(status) << " ("
              << strsignal(WTERMSIG(status)) << "); nothing was made\n";
  }
  return EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  constexpr std::string_view kSeal = "--seal=";
  if (count == 2 && std::string_view(words[1]).starts_with(kSeal)) {
    return kernels::seal_image_file(words[1] + kSeal.size()) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  Request request;
  if (!kernels::read_request(count, words, &request)) {
    std::cerr << "usage: torchada-kernels --headers=FOLDER --output=IMAGE [FLAG...] -- SOURCE...\n"
                 "       torchada-kernels --seal=IMAGE    writes the checksum of IMAGE into it\n";
    constexpr int kUsage = 2;
    return kUsage;
  }
  std::string folder = fs::temp_directory_path() / "torchada-kernels-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return EXIT_FAILURE;
  }
  int interrupted = 0;
  const int status = build_in_child(request, folder, &interrupted);
  if (std::getenv("TORCHADA_KERNELS_KEEP") != nullptr) {
    std::cerr << "kept: " << folder << '\n';
  } else {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  if (interrupted != 0) raise(interrupted);
  return status;
}
