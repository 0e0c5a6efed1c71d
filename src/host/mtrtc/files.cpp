#include "src/host/mtrtc/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "src/host/shared/own_descriptor.h"

namespace host_mtrtc {
namespace {

// Closes and keeps errno.
void close_quietly(int descriptor) {
  const int error = errno;
  close(descriptor);
  errno = error;
}

}  // namespace

bool write_file(const std::string& path, const std::string& text) {
  const int descriptor = host::above_standard(
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (descriptor < 0) return false;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  close_quietly(descriptor);
  return done == text.size();
}

bool read_file(const std::string& path, std::string* text) {
  const int descriptor = host::above_standard(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor < 0) return false;
  struct stat status;
  bool good = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  text->clear();
  if (good) text->resize(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (good && done < text->size()) {
    const ssize_t count = read(descriptor, text->data() + done, text->size() - done);
    if (count < 0 && errno == EINTR) continue;
    good = count > 0;
    if (good) done += static_cast<std::size_t>(count);
  }
  close_quietly(descriptor);
  return good;
}

std::string last_error() { return std::generic_category().message(errno); }

}  // namespace host_mtrtc
