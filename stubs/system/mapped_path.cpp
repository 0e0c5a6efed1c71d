#include "stubs/system/mapped_path.h"

#include <stdlib.h>
#include <string.h>

namespace torchada {

MappedPath& MappedPath::operator<<(const char* text) {
  append(text, strlen(text));
  return *this;
}

void MappedPath::append(const char* text, size_t length) {
  if (!room_ && size_ + length >= sizeof short_ && (room_ = take_room())) {
    memcpy(room_, short_, size_ + 1);
  }
  const size_t free = (room_ ? kRoom : sizeof short_) - 1 - size_;
  if (length > free) {
    length = free;
    truncated_ = true;
  }
  char* const to = room_ ? room_ : short_;
  memcpy(to + size_, text, length);
  size_ += length;
  to[size_] = '\0';
}

void MappedPath::clear() {
  size_ = 0;
  truncated_ = false;
  (room_ ? room_ : short_)[0] = '\0';
}

bool MappedPath::resolve(const char* path) {
  clear();
  char* const room = take_room();
  const bool is_resolved = room && realpath(path, room);
  if (is_resolved) append(room, strlen(room));
  give_back_room(room);
  if (is_resolved && !truncated_) return true;
  clear();
  return false;
}

}  // namespace torchada
