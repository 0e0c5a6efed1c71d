#include "tests/recording/child.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <mutex>
#include <stdexcept>

namespace recording {
namespace {

constexpr std::size_t kStepBytes = 4096;

// Shared with the parent, which reads it after the child has ended.
char* last_step = nullptr;

void write_all(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

std::string read_all(int descriptor) {
  std::string out;
  char buffer[4096];
  for (;;) {
    const ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count == 0 || (count < 0 && errno != EINTR)) return out;
    if (count > 0) out.append(buffer, static_cast<std::size_t>(count));
  }
}

[[noreturn]] void run_child(int descriptor, const std::function<std::string()>& work) {
  try {
    write_all(descriptor, work());
  } catch (const std::exception& error) {
    write_all(descriptor, std::string(error.what()) + "\n");
  }
  _exit(0);
}

}  // namespace

std::string in_child(const std::function<std::string()>& work) {
  if (!last_step) {
    void* page =
        mmap(nullptr, kStepBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::runtime_error("mmap failed");
    last_step = static_cast<char*>(page);
  }
  memset(last_step, 0, kStepBytes);
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    close(ends[0]);
    run_child(ends[1], work);
  }
  close(ends[1]);
  std::string report = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    report += std::string("killed by ") + strsignal(WTERMSIG(status)) + " at: " + last_step + "\n";
  } else if (WEXITSTATUS(status) != 0) {
    report += "exit status " + std::to_string(WEXITSTATUS(status)) + " at: " + last_step + "\n";
  }
  return report;
}

void announce(const std::string& step) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (last_step) strncpy(last_step, step.c_str(), kStepBytes - 1);
}

}  // namespace recording
