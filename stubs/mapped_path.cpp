#include "stubs/mapped_path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace torchada {

// From the kernel, because malloc may be the program's, and a signal handler may come here.
MappedPath::MappedPath() {
  void* const room =
      mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  data_ = room == MAP_FAILED ? nullptr : static_cast<char*>(room);
}

MappedPath::~MappedPath() {
  if (data_) munmap(data_, kRoom);
}

MappedPath& MappedPath::operator<<(const char* text) {
  append(text, strlen(text));
  return *this;
}

void MappedPath::append(const char* text, size_t length) {
  const size_t free = data_ ? kRoom - 1 - size_ : 0;
  if (length > free) {
    length = free;
    truncated_ = true;
  }
  if (length == 0) return;
  memcpy(data_ + size_, text, length);
  size_ += length;
  data_[size_] = '\0';
}

void MappedPath::clear() {
  size_ = 0;
  truncated_ = false;
  if (data_) data_[0] = '\0';
}

bool MappedPath::resolve(const char* path) {
  clear();
  if (!data_ || !realpath(path, data_)) {
    clear();
    return false;
  }
  size_ = strlen(data_);
  return true;
}

}  // namespace torchada
