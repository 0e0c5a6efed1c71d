#include "src/companion/trace/memory.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "src/shared/own_descriptor.h"

namespace torchada::trace {

namespace {

// For containers whose rules forbid the system call that read_memory uses.
bool read_through_file(std::uint64_t address, void* to, std::size_t size) {
  const int file = above_standard(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
  if (file < 0) return false;
  const bool done =
      pread(file, to, size, static_cast<off_t>(address)) == static_cast<ssize_t>(size);
  close(file);
  return done;
}

}  // namespace

bool read_memory(std::uint64_t address, void* to, std::size_t size) {
  if (address == 0) return false;
  const iovec local{to, size};
  const iovec remote{reinterpret_cast<void*>(address), size};
  const ssize_t done = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  if (done < 0 && (errno == EPERM || errno == ENOSYS)) return read_through_file(address, to, size);
  return done == static_cast<ssize_t>(size);
}

bool read_text(std::uint64_t address, std::size_t bound, std::string* text, bool* is_cut) {
  constexpr std::size_t kPage = 4096;
  text->clear();
  *is_cut = false;
  while (text->size() < bound) {
    // Reads only up to the end of the page: the next page may not exist, and the text may end
    // before it.
    char piece[256];
    const std::size_t size =
        std::min({sizeof piece, bound - text->size(), kPage - address % kPage});
    if (!read_memory(address, piece, size)) return !text->empty();
    const std::size_t length = strnlen(piece, size);
    text->append(piece, length);
    if (length < size) return true;
    address += size;
  }
  *is_cut = true;
  return true;
}

}  // namespace torchada::trace
