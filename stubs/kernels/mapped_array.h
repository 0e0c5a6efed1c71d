// A growing array of plain values in memory from the kernel: a launch must not call malloc, which
// may be the program's.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <type_traits>

namespace torchada {

// Never freed by itself: the ones that live as long as the process need no destructor at exit.
template <typename T>
class MappedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }

  // False without memory; nothing has changed then.
  bool add(const T& value) {
    if (!resize(size_ + 1)) return false;
    data_[size_ - 1] = value;
    return true;
  }

  // The same. New values are zero.
  bool resize(size_t size) {
    if (size > capacity_ && !grow(size)) return false;
    if (size > size_) memset(static_cast<void*>(data_ + size_), 0, (size - size_) * sizeof(T));
    size_ = size;
    return true;
  }

  void remove_last() { --size_; }

  void release() {
    if (data_) munmap(data_, capacity_ * sizeof(T));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

 private:
  bool grow(size_t size) {
    constexpr size_t kPage = 4096;
    size_t bytes = capacity_ * sizeof(T) * 2;
    if (bytes < size * sizeof(T)) bytes = size * sizeof(T);
    bytes = (bytes + kPage - 1) / kPage * kPage;
    void* const data =
        data_ ? mremap(data_, capacity_ * sizeof(T), bytes, MREMAP_MAYMOVE)
              : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) return false;
    data_ = static_cast<T*>(data);
    capacity_ = bytes / sizeof(T);
    return true;
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace torchada
