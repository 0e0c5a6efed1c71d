// bin/torchada: starts libexec/torchada, the command itself. It is linked statically, so the loader
// puts nothing into it. LD_PRELOAD may name a library that needs libcudart; a process finds that
// only after `torchada run` has prepared its environment, and the loader would end the command
// before main. The command therefore gets LD_PRELOAD and LD_AUDIT under other names, and hands them
// on to the program.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "src/shared/set_aside.h"
#include "src/shared/text.h"

namespace torchada {
namespace {

constexpr int kBroken = 3;  // The status of every subcommand whose installation is damaged.

int fail(const char* what, const char* why) {
  Text<8192> line;
  line << "torchada: " << what << ": " << why << "\n";
  if (write(STDERR_FILENO, line.c_str(), line.size()) < 0) return kBroken;
  return kBroken;
}

// This file without links. /proc may be missing; then the path that the kernel started is known.
char* own_path() {
  char* path = realpath("/proc/self/exe", nullptr);
  if (path) return path;
  const auto* started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return started ? realpath(started, nullptr) : nullptr;
}

// DIR/bin/torchada starts DIR/libexec/torchada.
bool find_command(const char* own, Path* out) {
  size_t length = strlen(own);
  for (int names = 2; names > 0; --names) {
    while (length > 0 && own[--length] != '/') {
    }
  }
  out->append(own, length);
  *out << "/libexec/torchada";
  return !out->truncated();
}

// Renames the loader's variables. False without memory.
bool set_aside() {
  for (const char* name : kLoaderVariables) {
    Text<100> other;
    other << kSetAside << name;
    unsetenv(other.c_str());  // Not from this launcher.
    const char* value = getenv(name);
    if (value && setenv(other.c_str(), value, 1) != 0) return false;
    unsetenv(name);
  }
  return true;
}

int start(char** arguments) {
  char* own = own_path();
  if (!own) return fail("cannot find its own file", strerror(errno));
  Path command;
  if (!find_command(own, &command)) return fail(own, "the path is too long");
  if (!set_aside()) return fail(command.c_str(), strerror(ENOMEM));
  execv(command.c_str(), arguments);
  const int error = errno;
  Text<256> why;
  why << strerror(error) << "; reinstall torchada";
  return fail(command.c_str(), why.c_str());
}

}  // namespace
}  // namespace torchada

int main(int, char** arguments) { return torchada::start(arguments); }
