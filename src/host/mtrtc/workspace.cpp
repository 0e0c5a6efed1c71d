#include "src/host/mtrtc/workspace.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <new>

#include "src/host/shared/files.h"
#include "src/host/shared/own_descriptor.h"

namespace host_mtrtc {
namespace {

namespace fs = std::filesystem;

constexpr char kLock[] = "/lock";
// A folder without a lock may be about to get one.
constexpr time_t kNew = 60;

struct Root {
  std::mutex mutex;
  std::string path;
  int lock = -1;
  int users = 0;
  unsigned long next = 0;
};

void forget_in_child();

// Never destroyed. A child of fork() has none of its own yet.
alignas(Root) unsigned char place[sizeof(Root)];
Root& root() {
  static Root* const made = [] {
    auto* const first = new (place) Root;
    pthread_atfork(nullptr, nullptr, forget_in_child);
    return first;
  }();
  return *made;
}

// Closing the copy leaves the parent's lock: it ends with the last copy.
void forget_in_child() {
  const int lock = reinterpret_cast<Root*>(place)->lock;
  if (lock >= 0) close(lock);
  new (place) Root;
}

std::string prefix() { return "torchada-mtrtc-" + std::to_string(geteuid()) + "-"; }

// Whether the process that made the folder has ended.
bool is_left(const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
    return false;
  }
  const int lock =
      host::above_standard(open((path + kLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (lock < 0) return errno == ENOENT && time(nullptr) - status.st_mtime > kNew;
  const bool free = flock(lock, LOCK_EX | LOCK_NB) == 0;
  close(lock);
  return free;
}

void remove_left(const fs::path& folder) {
  std::error_code error;
  const std::string ours = prefix();
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.compare(0, ours.size(), ours) != 0 || !is_left(entry->path())) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
  }
}

// The lock gets its name when it is held, so that nobody takes the folder for one that was left.
bool make(Root* made, std::string* why) {
  const char* const set = secure_getenv("TMPDIR");
  const std::string folder = set != nullptr && *set != '\0' ? set : "/tmp";
  remove_left(folder);
  std::string path = folder + "/" + prefix() + std::to_string(getpid()) + "-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    *why = path + ": " + host::last_error();
    return false;
  }
  const std::string early = path + "/new";
  made->lock =
      host::above_standard(open(early.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (made->lock < 0 || flock(made->lock, LOCK_EX | LOCK_NB) != 0 ||
      rename(early.c_str(), (path + kLock).c_str()) != 0) {
    *why = early + ": " + host::last_error();
    if (made->lock >= 0) close(made->lock);
    made->lock = -1;
    std::error_code ignored;
    fs::remove_all(path, ignored);
    return false;
  }
  made->path = path;
  return true;
}

}  // namespace

Workspace::Workspace() {
  Root& own = root();
  const std::lock_guard lock(own.mutex);
  if (own.users == 0 && !make(&own, &error_)) return;
  const std::string path = own.path + "/" + std::to_string(own.next++);
  if (mkdir(path.c_str(), 0700) != 0) {
    error_ = path + ": " + host::last_error();
  } else {
    path_ = path;
  }
  ++own.users;
}

Workspace::~Workspace() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  Root& own = root();
  const std::lock_guard lock(own.mutex);
  if (own.users == 0 || --own.users > 0) return;
  fs::remove_all(own.path, ignored);
  close(own.lock);
  own.lock = -1;
}

}  // namespace host_mtrtc
