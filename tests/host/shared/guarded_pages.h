// Memory between two pages that nobody may touch: who reads or writes beyond it ends the program
// instead of going unnoticed.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <string>

class GuardedPages {
 public:
  explicit GuardedPages(std::size_t bytes)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        size_((bytes + page_ - 1) / page_ * page_) {
    void* const all = mmap(nullptr, size_ + 2 * page_, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<std::byte*>(all) + page_;
    if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  ~GuardedPages() { munmap(begin_ - page_, size_ + 2 * page_); }
  GuardedPages(const GuardedPages&) = delete;
  GuardedPages& operator=(const GuardedPages&) = delete;

  std::byte* begin() const { return begin_; }
  std::byte* end() const { return begin_ + size_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t page_, size_;
  std::byte* begin_ = nullptr;
};

// A copy of bytes, which ends where the memory does.
class GuardedCopy {
 public:
  explicit GuardedCopy(const std::string& bytes)
      : pages_(bytes.size()), begin_(pages_.end() - bytes.size()) {
    std::memcpy(begin_, bytes.data(), bytes.size());
  }
  void* begin() const { return begin_; }

 private:
  GuardedPages pages_;
  std::byte* begin_;
};
