// Kernels on demand (TORCHADA_KERNELS_FROM): the process that makes them, `torchada kernels serve`,
// and requests to it. It is started at the first request and ends when this process's end of the
// connection closes. Each request brings the pipe for its answer along, so threads need no numbers,
// and no lock is held while one waits.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "src/companion/kernels/detached_process.h"
#include "src/shared/companion_interface.h"
#include "src/shared/own_descriptor.h"
#include "src/shared/split.h"

extern char** environ;

namespace torchada {
namespace {

struct File {
  int descriptor = -1;
  dev_t device = 0;
  ino_t number = 0;
};

// By the number of the call: glibc's own name for it is newer than the oldest supported glibc.
bool identify(File* file) {
  struct stat status;
  if (syscall(SYS_fstat, file->descriptor, &status) != 0) return false;
  file->device = status.st_dev;
  file->number = status.st_ino;
  return true;
}

// A program may close any descriptor, and open something else under its number.
bool is_still_ours(const File& file) {
  File now = file;
  return file.descriptor >= 0 && identify(&now) && now.device == file.device &&
         now.number == file.number;
}

std::mutex mutex;
File server;  // This process's end of the connection.

void drop_server() {
  if (is_still_ours(server)) close(server.descriptor);
  server = {};
}

// A child of fork() starts its own when it needs one, and must not keep its parent's alive. The
// mutex keeps it from inheriting the other ends, too.
void before_fork() { mutex.lock(); }
void in_parent() { mutex.unlock(); }
void in_child() {
  drop_server();
  mutex.unlock();
}

void watch_forks() {
  static const int status = pthread_atfork(before_fork, in_parent, in_child);
  static_cast<void>(status);
}

struct Ends {
  int own = -1;
  int other = -1;
  int error = 0;
};

Ends ends_of(int status, const int (&pair)[2]) {
  if (status != 0) return {-1, -1, errno};
  Ends out{above_standard(pair[0]), above_standard(pair[1])};
  if (out.own >= 0 && out.other >= 0) return out;
  out.error = errno;
  for (const int end : {out.own, out.other}) {
    if (end >= 0) close(end);
  }
  return {-1, -1, out.error};
}

// The folder in which this library's folder is. Empty if it cannot be told.
std::string installation() {
  Dl_info info;
  char path[PATH_MAX];
  if (dladdr(reinterpret_cast<void*>(&installation), &info) == 0 ||
      realpath(info.dli_fname, path) == nullptr) {
    return "";
  }
  std::string out = path;
  for (int i = 0; i < 2; ++i) out.erase(out.rfind('/'));
  return out;
}

// Compilers must load nothing that is there for the program, and neither libraries of ours.
std::vector<std::string> environment_of_server(const std::string& root) {
  constexpr std::string_view kSearchPath = "LD_LIBRARY_PATH=";
  constexpr std::string_view kDropped[] = {
      "LD_PRELOAD",         "LD_AUDIT",         "TORCHADA_AUDIT_ABI",    "TORCHADA_AUDIT_LEFT_OUT",
      "TORCHADA_AUDIT_LIB", "TORCHADA_KERNELS", "TORCHADA_KERNELS_FROM", "TORCHADA_RECORD_KERNELS",
      "TORCHADA_STRICT",    "TORCHADA_SUMMARY", "TORCHADA_TRACE",        "TORCHADA_TRACE_FILTER",
  };
  std::vector<std::string> out;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with(kSearchPath)) {
      std::string kept;
      for (const std::string& folder : split(std::string(text.substr(kSearchPath.size())), ":")) {
        if (!folder.starts_with(root + "/lib")) kept += (kept.empty() ? "" : ":") + folder;
      }
      if (!kept.empty()) out.push_back(std::string(kSearchPath) + kept);
      continue;
    }
    const std::string_view name = text.substr(0, text.find('='));
    if (std::ranges::find(kDropped, name) == std::end(kDropped)) out.emplace_back(text);
  }
  return out;
}

// Returns a number of errno, or 0.
int start_server(const std::string& recipe) {
  const std::string root = installation();
  if (root.empty()) return ENOENT;
  int pair[2];
  const int made = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
  const Ends ends = ends_of(made, pair);
  if (ends.error != 0) return ends.error;
  const int error =
      start_detached({root + "/bin/torchada", "kernels", "serve", "--recipe=" + recipe,
                      "--socket=" + std::to_string(kConnection)},
                     environment_of_server(root), ends.other);
  close(ends.other);
  server.descriptor = ends.own;
  if (error != 0 || !identify(&server)) {
    close(ends.own);
    server = {};
  }
  return error;
}

// Sends the request with the descriptor to which the answer shall be written. Returns a number of
// errno, or 0.
int send_request(std::string_view request, int answer) {
  iovec text{const_cast<char*>(request.data()), request.size()};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof answer)] = {};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof answer);
  std::memcpy(CMSG_DATA(header), &answer, sizeof answer);
  const ssize_t sent = sendmsg(server.descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent < 0 ? errno : 0;
}

struct Asked {
  int answer = -1;  // The end of a pipe.
  int error = 0;    // A number of errno, if there is none.
  enum : std::uint8_t { kFinal, kIsBusy, kHasEnded } why = kFinal;
};

Asked ask(const std::string& recipe, std::string_view request) {
  const std::lock_guard<std::mutex> hold(mutex);
  if (!is_still_ours(server)) {
    server = {};
    if (const int error = start_server(recipe)) return {-1, error};
  }
  int pair[2];
  const int made = pipe2(pair, O_CLOEXEC);
  const Ends ends = ends_of(made, pair);
  if (ends.error != 0) return {-1, ends.error};
  const int error = send_request(request, ends.other);
  close(ends.other);
  if (error == 0) return {ends.own};
  close(ends.own);
  if (error == EAGAIN) return {-1, error, Asked::kIsBusy};
  if (error != EPIPE && error != ECONNRESET) return {-1, error};
  drop_server();
  return {-1, error, Asked::kHasEnded};
}

}  // namespace
}  // namespace torchada

extern "C" int32_t torchada_companion_ask_for_kernel(const char* recipe, const char* request,
                                                     uint64_t size) try {
  torchada::watch_forks();
  for (bool may_start_again = true;;) {
    const torchada::Asked asked = torchada::ask(recipe, {request, size});
    if (asked.why == torchada::Asked::kIsBusy) {
      poll(nullptr, 0, 10);  // Many threads ask at once.
    } else if (asked.why == torchada::Asked::kHasEnded && may_start_again) {
      may_start_again = false;
    } else {
      return asked.answer >= 0 ? asked.answer : -asked.error;
    }
  }
} catch (...) {
  return -ENOMEM;
}
