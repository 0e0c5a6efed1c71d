// Children: one ends at once, one becomes another program with a device of its own.
#include <sys/wait.h>
#include <unistd.h>

#include "tests/long_run/work.h"

namespace {
void expect_success(const char* what, pid_t child) {
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) status = -1;
  compare(what, {0}, {static_cast<float>(status)});
}
}  // namespace

void use_children(unsigned seed) {
  const pid_t brief = fork();
  if (brief == 0) _exit(0);
  expect_success("status of a child that ends at once", brief);
  if (seed % 8 != 0) return;
  const pid_t other = fork();
  if (other == 0) {
    execl("/proc/self/exe", "child", "--child", static_cast<char*>(nullptr));
    _exit(127);
  }
  expect_success("status of a child with its own device", other);
}

void work_as_child() {
  use_kernels(1);
  use_cublas(2);
}
