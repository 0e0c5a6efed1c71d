// What a program advised for each page of managed memory, and where it was prefetched to last. A
// CPU has no use for it, but the program may read it back.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <set>

#include "musa_runtime_api.h"

namespace musa {

struct Advice {
  bool read_mostly = false;
  int preferred_location = musaInvalidDeviceId;
  int last_prefetch = musaInvalidDeviceId;
  std::set<int> accessed_by;
};

class PageAdvice {
 public:
  // Changes the pages [first, end).
  template <typename Change>
  void change(std::size_t first, std::size_t end, Change&& change) {
    const auto begin = split(first);
    const auto stop = split(end);
    for (auto run = begin; run != stop; ++run) change(run->second);
  }
  // What holds for all pages in [first, end): a value that differs counts as not given.
  Advice common(std::size_t first, std::size_t end) const {
    auto run = std::prev(runs_.upper_bound(first));
    Advice common = run->second;
    for (++run; run != runs_.end() && run->first < end; ++run) {
      const Advice& other = run->second;
      common.read_mostly &= other.read_mostly;
      if (common.preferred_location != other.preferred_location) {
        common.preferred_location = musaInvalidDeviceId;
      }
      if (common.last_prefetch != other.last_prefetch) common.last_prefetch = musaInvalidDeviceId;
      std::erase_if(common.accessed_by,
                    [&](int device) { return other.accessed_by.count(device) == 0; });
    }
    return common;
  }

 private:
  using Runs = std::map<std::size_t, Advice>;  // by first page; each lasts to the next

  Runs::iterator split(std::size_t page) {
    const auto run = std::prev(runs_.upper_bound(page));
    return run->first == page ? run : runs_.emplace(page, run->second).first;
  }

  Runs runs_{{0, {}}};
};

}  // namespace musa
