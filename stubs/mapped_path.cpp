#include "stubs/mapped_path.h"

#include <stdlib.h>
#include <string.h>

namespace torchada {

MappedPath& MappedPath::operator<<(const char* text) {
  append(text, strlen(text));
  return *this;
}

void MappedPath::append(const char* text, size_t length) {
  const size_t free = data() ? kRoom - 1 - size_ : 0;
  if (length > free) {
    length = free;
    truncated_ = true;
  }
  if (length == 0) return;
  memcpy(data() + size_, text, length);
  size_ += length;
  data()[size_] = '\0';
}

void MappedPath::clear() {
  size_ = 0;
  truncated_ = false;
  if (data()) data()[0] = '\0';
}

bool MappedPath::resolve(const char* path) {
  clear();
  if (!data() || !realpath(path, data())) {
    clear();
    return false;
  }
  size_ = strlen(data());
  return true;
}

}  // namespace torchada
