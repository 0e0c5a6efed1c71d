// Structs of a program whose size in the opened MUSA is not known for certain. MUSA gets a copy
// with room behind it: it reads zeros there and may write there, so that nothing behind the
// program's struct is ever read or written.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "stubs/system/mapped_memory.h"

namespace torchada {

// Bytes behind the longest version of a struct that is known: the next SDK's may be longer.
inline constexpr size_t kRoomForMore = 256;

// One struct of `kSize` bytes, of which versions of up to `kLongest` bytes are known.
template <size_t kSize, size_t kLongest>
class PassedStruct {
 public:
  explicit PassedStruct(const void* program) : is_null_(!program) {
    if (is_null_) return;
    memcpy(bytes_, program, kSize);
    memset(bytes_ + kSize, 0, sizeof bytes_ - kSize);
  }

  void* get() { return is_null_ ? nullptr : bytes_; }

  // What MUSA wrote. A program's struct that MUSA only reads may lie in memory that nobody may
  // write, so it is written only if it changes.
  void give_back(void* program) const {
    if (!is_null_ && memcmp(program, bytes_, kSize) != 0) memcpy(program, bytes_, kSize);
  }

 private:
  const bool is_null_;
  alignas(16) unsigned char bytes_[kLongest + kRoomForMore];
};

// Bytes of one struct.
struct StructSizes {
  size_t own;      // The program's.
  size_t longest;  // Of the versions that are known.
};

// `count` structs in a row, which MUSA either reads or writes. MUSA's are taken to lie as close to
// one another as the program's.
class PassedStructs {
 public:
  PassedStructs(const void* program, size_t count, StructSizes sizes, bool is_read)
      : is_null_(!program),
        own_(sizes.own),
        count_(program ? count : 0),
        each_(sizes.longest + kRoomForMore),
        is_near_(count_ <= sizeof near_ / each_),
        far_(is_near_ || count_ > SIZE_MAX / 2 / each_ ? 0 : count_ * each_) {
    if (is_null_ || !has_memory()) return;
    if (is_near_) memset(near_, 0, sizeof near_);
    if (is_read) memcpy(get(), program, count_ * own_);
  }

  bool has_memory() const { return is_near_ || far_.data(); }

  void* get() {
    if (is_null_) return nullptr;
    return is_near_ ? static_cast<void*>(near_) : far_.data();
  }

  // Of the structs that MUSA wrote, as many as the program has room for.
  void give_back(void* program, size_t written) {
    if (!is_null_) memcpy(program, get(), (written < count_ ? written : count_) * own_);
  }

 private:
  const bool is_null_;
  const size_t own_, count_, each_;
  const bool is_near_;
  alignas(16) unsigned char near_[1024];
  const MappedMemory far_;
};

// What a pointer to a count points at.
inline size_t count_at(const void* count) { return count ? *static_cast<const size_t*>(count) : 0; }

}  // namespace torchada
