#include "src/host/shared/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "src/host/shared/own_descriptor.h"

namespace host {
namespace {

// Closes and keeps errno.
void close_quietly(int descriptor) {
  const int error = errno;
  close(descriptor);
  errno = error;
}

bool write_all(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done == text.size();
}

bool read_all(int descriptor, std::size_t size, std::string* text) {
  text->resize(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count =
        pread(descriptor, text->data() + done, size - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;

}  // namespace

bool write_file(const std::string& path, const std::string& text) {
  const int descriptor = host::above_standard(
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (descriptor < 0) return false;
  const bool good = write_all(descriptor, text);
  close_quietly(descriptor);
  return good;
}

bool read_file(const std::string& path, std::string* text) {
  const int descriptor =
      host::above_standard(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (descriptor < 0) return false;
  struct stat status;
  const bool good = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                    read_all(descriptor, static_cast<std::size_t>(status.st_size), text);
  close_quietly(descriptor);
  return good;
}

std::string last_error() { return std::generic_category().message(errno); }

OwnFolder::OwnFolder(const std::string& path) {
  constexpr mode_t kOnlyThisUser = 0700;
  if (mkdir(path.c_str(), kOnlyThisUser) != 0 && errno != EEXIST) why_ = last_error();
  folder_ = host::above_standard(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status;
  if (folder_ < 0 || fstat(folder_, &status) != 0) {
    why_ = last_error();
    return;
  }
  why_.clear();
  // In a folder such as /tmp (S_ISVTX), nobody can take away or replace another's file.
  if (status.st_uid != geteuid() && status.st_uid != 0) {
    why_ = "it belongs to user " + std::to_string(status.st_uid);
  } else if ((status.st_mode & kOthersWrite) != 0 && (status.st_mode & S_ISVTX) == 0) {
    why_ = "other users may write to it; take this right away (chmod go-w)";
  }
}

OwnFolder::~OwnFolder() {
  if (folder_ >= 0) close(folder_);
}

bool OwnFolder::write(const std::string& name, const std::string& text) const {
  const std::string early = name + "." + std::to_string(getpid()) + "." +
                            std::to_string(reinterpret_cast<std::uintptr_t>(&text));
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  const int descriptor = host::above_standard(openat(folder_, early.c_str(), kNew, 0600));
  if (descriptor < 0) return false;
  const bool good = write_all(descriptor, text);
  close_quietly(descriptor);
  if (good && renameat(folder_, early.c_str(), folder_, name.c_str()) == 0) return true;
  unlinkat(folder_, early.c_str(), 0);
  return false;
}

bool OwnFolder::read(const std::string& name, std::size_t skipped, std::string_view start,
                     std::size_t most, std::string* text, std::string* why) const {
  // What is examined is what was opened: a name may mean another file a moment later.
  constexpr int kPlain = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const int descriptor = host::above_standard(openat(folder_, name.c_str(), kPlain));
  if (descriptor < 0) {
    if (errno == ELOOP) *why = "it is a link";
    return false;
  }
  struct stat status;
  bool good = fstat(descriptor, &status) == 0;
  if (good && !S_ISREG(status.st_mode)) {
    *why = "it is no regular file";
  } else if (good && status.st_uid != geteuid()) {
    *why = "it belongs to user " + std::to_string(status.st_uid);
  } else if (good && (status.st_mode & kOthersWrite) != 0) {
    *why = "other users may write to it";
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  good = good && why->empty() && size <= most && size >= skipped + start.size() &&
         read_all(descriptor, skipped + start.size(), text) &&
         std::string_view(*text).substr(skipped) == start && read_all(descriptor, size, text);
  if (!good && why->empty()) *why = "it is damaged";
  close_quietly(descriptor);
  return good;
}

}  // namespace host
