// Memory between two pages that nobody may touch: a kernel that reads or writes beyond its operand
// ends the program instead of going unnoticed.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace blas_tests {

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

// Pages from a pool of the thread, since thousands of operands follow each other.
class BorrowedPages {
 public:
  explicit BorrowedPages(std::size_t bytes) {
    auto& free = pool();
    for (auto& pages : free) {
      if (pages->size() < bytes) continue;
      pages_ = std::move(pages);
      pages = std::move(free.back());
      free.pop_back();
      return;
    }
    pages_ = std::make_unique<GuardedPages>(bytes);
  }
  ~BorrowedPages() { pool().push_back(std::move(pages_)); }
  BorrowedPages(const BorrowedPages&) = delete;
  BorrowedPages& operator=(const BorrowedPages&) = delete;

  const GuardedPages& operator*() const { return *pages_; }

 private:
  static std::vector<std::unique_ptr<GuardedPages>>& pool() {
    thread_local std::vector<std::unique_ptr<GuardedPages>> free;
    return free;
  }
  std::unique_ptr<GuardedPages> pages_;
};

}  // namespace blas_tests
