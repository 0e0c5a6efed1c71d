// The numbers of handles behind which device code finds something: each is the address of a page.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace musa {

// In the place of HandleNumbers. A page that was given back is an illegal address, and comes again
// only after 2^21 others.
class ObjectPages {
 public:
  static constexpr std::size_t kPage = 4096;

  // A page of zeros. Throws std::bad_alloc.
  std::uintptr_t next();
  static void give_back(std::uintptr_t page);

 private:
  static constexpr std::uintptr_t kRange = kPage << 21;

  std::uintptr_t first();

  std::atomic<std::uintptr_t> first_{0};
  std::atomic<std::uintptr_t> last_{0};
};

}  // namespace musa
