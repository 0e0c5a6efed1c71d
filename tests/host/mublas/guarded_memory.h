// Operands between pages that nobody may touch (tests/host/shared/guarded_pages.h).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tests/host/shared/guarded_pages.h"

namespace blas_tests {

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
