#include "src/command/recipes/source_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace torchada::recipes {

SourceLock::SourceLock(const std::string& file)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {}

SourceLock::~SourceLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

// Without the file (a full disk), work is done twice at worst: what is made replaces in one step.
bool SourceLock::try_lock() const {
  return descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void SourceLock::lock() const {
  while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

}  // namespace torchada::recipes
