#include "src/companion/trace/output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "src/companion/write_all.h"
#include "src/shared/file_pattern.h"
#include "src/shared/printable_string.h"

namespace torchada::trace {
namespace {

constexpr int kStatusOfLoss = 3;  // As in the manual page of torchada trace.
std::atomic<bool> lost{false};    // Something could not be written.
std::atomic<bool> has_status{false};

// Runs after the handlers of atexit() and most destructors. What the program has left in its
// streams is written first, because _exit() would discard it.
__attribute__((destructor(101))) void end_with_status() {
  if (!lost.load(std::memory_order_relaxed) || !has_status.load(std::memory_order_relaxed)) return;
  std::fflush(nullptr);
  _exit(kStatusOfLoss);
}

constexpr int kFirstDescriptor = 400;  // Away from descriptors that programs close or redirect.
// End of a file of events, which is complete at all times.
constexpr std::string_view kEnd = "\n]\n";

// Only Chrome's format reads the file back: its records replace the end of the file, which O_APPEND
// would not allow. Other formats open for writing only, because a process that can read its own
// pipe would never notice that the reader has gone.
int mode_for(Format format) {
  return O_CLOEXEC | O_NOCTTY | (format == Format::kChrome ? O_RDWR : O_WRONLY | O_APPEND);
}

// Opening does not wait: a pipe without a reader is an error. After that, writing to it waits.
int open_at_once(const char* path, int mode) {
  const int file = open(path, mode | O_NONBLOCK, 0666);
  if (file >= 0) fcntl(file, F_SETFL, mode & O_APPEND);
  return file;
}

// Moves a descriptor away from the program's own.
int far_away(int descriptor) {
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstDescriptor);
  return moved >= 0 ? moved : fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

}  // namespace

Output::Output(Format format, std::string pattern)
    : format_(format), pattern_(std::move(pattern)), path_(expanded(pattern_)) {
  // Opened at once: a program that later closes standard error may get the same descriptor for
  // another file.
  if (path_.empty()) open_file();
}

void Output::loss_is_a_status() { has_status.store(true, std::memory_order_relaxed); }

void Output::complain(const std::string& text) {
  const std::string line = "torchada: trace: " + printable(text) + "\n";
  write_all(STDERR_FILENO, line);
}

bool Output::write(std::string_view record) {
  const std::lock_guard lock(mutex_);
  return write_one(record);
}

void Output::write_head(std::string_view head) {
  const std::lock_guard lock(mutex_);
  if (has_head_) return;
  has_head_ = true;
  write_one(head);
}

bool Output::write_one(std::string_view record) {
  if (!ready()) return false;
  const bool done = format_ == Format::kChrome ? append_event(record) : append(record);
  if (!done) fail("cannot write");
  return done;
}

bool Output::ready() {
  if (failed_) return false;
  if (file_ >= 0 && is_still_ours()) return true;
  return open_file();
}

bool Output::open_file() {
  if (path_.empty()) {
    file_ = far_away(STDERR_FILENO);
  } else {
    const int mode = mode_for(format_);
    // In a directory like /tmp, opening another user's file with O_CREAT fails with EACCES.
    const int opened = open_at_once(path_.c_str(), mode | O_CREAT);
    const int writable =
        opened >= 0 || errno != EACCES ? opened : open_at_once(path_.c_str(), mode);
    file_ = writable < 0 ? -1 : far_away(writable);
    if (writable >= 0) close(writable);
  }
  struct stat status {};
  if (file_ < 0 || fstat(file_, &status) != 0) {
    fail("cannot open");
    return false;
  }
  device_ = status.st_dev;
  inode_ = status.st_ino;
  may_signal_ = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
  if (format_ == Format::kChrome && !S_ISREG(status.st_mode)) {
    errno = EINVAL;
    fail("Chrome's format needs a regular file: cannot write");
    return false;
  }
  return true;
}

bool Output::is_still_ours() const {
  struct stat status {};
  return fstat(file_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

bool Output::append(std::string_view record) const {
  return may_signal_ ? write_all(file_, record) : write_all_to_file(file_, record);
}

// Several processes may write to one file, so each record leaves it complete.
bool Output::append_event(std::string_view event) const {
  while (flock(file_, LOCK_EX) != 0) {
    if (errno != EINTR) return false;
  }
  const off_t size = lseek(file_, 0, SEEK_END);
  const off_t place =
      size < static_cast<off_t>(kEnd.size()) ? 0 : size - static_cast<off_t>(kEnd.size());
  char end[kEnd.size()] = {};
  bool good = size == 0;
  if (size > 0) {
    good = pread(file_, end, sizeof end, place) == static_cast<ssize_t>(sizeof end) &&
           std::memcmp(end, kEnd.data(), sizeof end) == 0;
    if (!good) errno = EEXIST;
  }
  if (good) {
    std::string text(size == 0 ? "[\n" : ",\n");
    text.append(event).append(kEnd);
    good = lseek(file_, place, SEEK_SET) == place && write_all_to_file(file_, text);
  }
  const int why = errno;
  flock(file_, LOCK_UN);
  errno = why;
  return good;
}

void Output::fail(const std::string& what) {
  const int why = errno;
  failed_ = true;
  lost.store(true, std::memory_order_relaxed);
  complain(what + " " + (path_.empty() ? "standard error" : path_) + ": " + std::strerror(why) +
           "; later calls are not recorded");
}

void Output::after_fork(bool is_child) {
  if (is_child) {
    has_head_ = false;
    if (file_ >= 0) close(file_);
    file_ = -1;
    path_ = expanded(pattern_);
    if (path_.empty()) open_file();
  }
  mutex_.unlock();
}

}  // namespace torchada::trace
