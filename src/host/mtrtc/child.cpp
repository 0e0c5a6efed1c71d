#include "src/host/mtrtc/child.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "src/host/shared/own_descriptor.h"
#include "src/host/shared/variables.h"

extern char** environ;

namespace host_mtrtc {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kLongestLog = std::size_t{1} << 20;
constexpr long kDefaultSeconds = 600;
constexpr milliseconds kGlance{100};  // how often to look whether the process has ended
constexpr std::chrono::seconds kGrace{3};

long limit_in_seconds() {
  constexpr long kWeek = 7L * 24 * 3600;
  return host::number_variable("TORCHADA_HOST_COMPILE_SECONDS", 0, kWeek, kDefaultSeconds);
}

// What is preloaded into the program is not for compilers.
std::vector<std::string> environment_of(const Child& child) {
  std::vector<std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    bool dropped = false;
    for (const char* const name :
         {"TMPDIR=", "LD_PRELOAD=", "LD_AUDIT=", "TORCHADA_KERNELS_KEEP="}) {
      dropped = dropped || std::strncmp(*entry, name, std::strlen(name)) == 0;
    }
    if (!dropped) out.emplace_back(*entry);
  }
  out.push_back("TMPDIR=" + child.temporary_folder);
  return out;
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

// The attributes and actions of a new process, which are freed.
class Spawning {
 public:
  explicit Spawning(int output) {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&actions_);
    // What the program ignores or blocks must not keep compilers from noticing the end of theirs.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int number : {SIGCHLD, SIGPIPE, SIGTERM}) sigaddset(&signals, number);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
  }
  ~Spawning() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;

  int start(const Child& child, pid_t* process) {
    const std::vector<std::string> environment = environment_of(child);
    return posix_spawn(process, child.words.front().c_str(), &actions_, &attributes_,
                       pointers_to(child.words).data(), pointers_to(environment).data());
  }

 private:
  posix_spawnattr_t attributes_;
  posix_spawn_file_actions_t actions_;
};

// A thread that is cancelled here would leave the process behind.
class Uncancelled {
 public:
  Uncancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~Uncancelled() { pthread_setcancelstate(before_, &before_); }
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int before_ = 0;
};

// A process whose end is waited for. A program that waits for any child may get its status first;
// then nobody knows it.
class Running {
 public:
  explicit Running(pid_t process) : process_(process) {}

  bool has_ended() {
    if (!ended_) ended_ = waitpid(process_, &status_, WNOHANG) != 0;
    return ended_;
  }
  // The signal that ended it, or 0.
  int signal() const { return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0; }

  // Lets it end its compilers first.
  void end() {
    const Clock::time_point last = Clock::now() + kGrace;
    if (!has_ended()) kill(process_, SIGTERM);
    while (!has_ended()) {
      if (Clock::now() > last) kill(process_, SIGKILL);
      poll(nullptr, 0, 10);
    }
  }

 private:
  pid_t process_;
  int status_ = 0;
  bool ended_ = false;
};

// Reads what there is. False at the end.
bool read_some(int from, std::string* log) {
  std::array<char, 4096> part;
  const ssize_t count = read(from, part.data(), part.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (log->size() < kLongestLog) log->append(part.data(), static_cast<std::size_t>(count));
  return count > 0;
}

// Reads until nobody can write any more, or the process has ended. False: the time is over.
bool follow(int from, Running* running, std::string* log) {
  const long seconds = limit_in_seconds();
  const Clock::time_point last = Clock::now() + std::chrono::seconds(seconds);
  for (bool open = true;;) {
    pollfd entry{from, POLLIN, 0};
    const bool ended = running->has_ended();
    const int timeout = ended ? 0 : static_cast<int>(open ? kGlance.count() : 1);
    const bool ready = poll(&entry, open ? 1 : 0, timeout) > 0;
    if (open && ready) open = read_some(from, log);
    if (ended && !ready) return true;
    if (!ended && seconds != 0 && Clock::now() > last) return false;
  }
}

}  // namespace

std::string run(const Child& child, std::string* log) {
  const Uncancelled uncancelled;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "a pipe: " + std::generic_category().message(errno);
  for (int& end : ends) end = host::above_standard(end);
  pid_t process = 0;
  const int error = ends[0] < 0 || ends[1] < 0 ? errno : Spawning(ends[1]).start(child, &process);
  if (ends[1] >= 0) close(ends[1]);
  std::string why;
  if (error != 0) {
    why = child.words.front() + ": " + std::generic_category().message(error);
  } else {
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    Running running(process);
    if (!follow(ends[0], &running, log)) {
      running.end();
      why = "the compilation took longer than " + std::to_string(limit_in_seconds()) +
            " seconds and was ended; TORCHADA_HOST_COMPILE_SECONDS sets the limit";
    } else if (running.signal() != 0) {
      why = "the compilation was ended by signal " + std::to_string(running.signal());
    }
    if (log->size() >= kLongestLog) *log += "\n... (more was said)\n";
  }
  if (ends[0] >= 0) close(ends[0]);
  return why;
}

}  // namespace host_mtrtc
