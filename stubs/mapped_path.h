// A path in memory that is mapped for it. It does not lie on the stack, because the first call may
// come from a thread whose stack is hardly larger than a few paths, and dlopen needs most of that.
#pragma once

#include <stddef.h>

#include "stubs/mapped_memory.h"

namespace torchada {

class MappedPath {
 public:
  static constexpr size_t kRoom = 4096;  // Bytes, as PATH_MAX: the zero at the end counts.

  MappedPath() : memory_(kRoom) {}

  MappedPath& operator<<(const char* text);
  void append(const char* text, size_t length);
  void clear();

  // Becomes the absolute path of that file, with links followed. False if that fails; the path is
  // then empty.
  bool resolve(const char* path);

  const char* c_str() const { return data() ? data() : ""; }
  size_t size() const { return size_; }
  // A path cut short must not be opened. One for which there was no memory is cut at its beginning.
  bool truncated() const { return truncated_; }

 private:
  char* data() const { return memory_.data(); }

  MappedMemory memory_;
  size_t size_ = 0;
  bool truncated_ = false;
};

}  // namespace torchada
