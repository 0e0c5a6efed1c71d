#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace host {

// A copy above the standard descriptors, closed on exec. -1 and errno on failure.
inline int copy_descriptor(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

// A program may close its descriptors 0, 1 and 2 and open its own input and output there later. So
// a new descriptor of ours moves away from these numbers. It must be close-on-exec already. Returns
// its number; -1 and errno if there is none, also if `descriptor` is -1.
inline int above_standard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int moved = copy_descriptor(descriptor);
  const int error = errno;
  close(descriptor);
  errno = error;
  return moved;
}

}  // namespace host
