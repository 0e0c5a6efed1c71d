// Memory from the kernel, for what is too large for the stack of a thread. Not from malloc, which
// may be the program's, and which a signal handler may not call.
#pragma once

#include <stddef.h>
#include <sys/mman.h>

namespace torchada {

class MappedMemory {
 public:
  explicit MappedMemory(size_t bytes)
      : bytes_(bytes),
        start_(bytes == 0 ? MAP_FAILED
                          : mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~MappedMemory() {
    if (start_ != MAP_FAILED) munmap(start_, bytes_);
  }
  MappedMemory(const MappedMemory&) = delete;
  MappedMemory& operator=(const MappedMemory&) = delete;

  // All bytes are zero at first. Null if there is no memory, or for no bytes.
  char* data() const { return start_ == MAP_FAILED ? nullptr : static_cast<char*>(start_); }

 private:
  size_t bytes_;
  void* start_;
};

}  // namespace torchada
