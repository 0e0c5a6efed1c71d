// A path. A long one is in memory that is mapped for it and does not lie on the stack, because the
// first call may come from a thread whose stack is hardly larger than a few paths, and dlopen needs
// most of that.
#pragma once

#include <stddef.h>

#include "stubs/system/kept_rooms.h"

namespace torchada {

class MappedPath {
 public:
  static constexpr size_t kRoom = kRoomBytes;  // As PATH_MAX: the zero at the end counts.

  MappedPath() = default;
  ~MappedPath() { give_back_room(room_); }
  MappedPath(const MappedPath&) = delete;
  MappedPath& operator=(const MappedPath&) = delete;

  MappedPath& operator<<(const char* text);
  void append(const char* text, size_t length);
  void clear();

  // Becomes the absolute path of that file, with links followed. False if that fails; the path is
  // then empty.
  bool resolve(const char* path);

  const char* c_str() const { return room_ ? room_ : short_; }
  size_t size() const { return size_; }
  // A path cut short must not be opened.
  bool truncated() const { return truncated_; }

 private:
  char short_[224] = "";
  char* room_ = nullptr;  // kRoom bytes for what is longer.
  size_t size_ = 0;
  bool truncated_ = false;
};

}  // namespace torchada
