// Small pieces of device memory share mappings. A process can have only so many mappings
// (vm.max_map_count), and a program's own mmap needs them too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>

#include "src/host/musa/mapping.h"

namespace musa {

class PageRuns {
 public:
  // Larger pieces have a mapping of their own.
  static constexpr std::size_t kLargest = std::size_t{1} << 20;

  // Zeroed pages, in `file` unless that is null. `size` is in whole pages, at most kLargest. Base 0
  // if the system gives no further mapping.
  Mapping take(std::size_t size, const std::shared_ptr<SharedFile>& file);
  // Whether the address lies in a shared mapping, in use or not.
  bool contains(std::uintptr_t address) const;
  // Makes a piece inaccessible, and empties it unless it lies in a file. False on failure.
  bool close(std::uintptr_t base, std::size_t size);
  // Ends the use of a piece. It is taken again only if it is empty and no other process has it.
  void give_back(std::uintptr_t base, std::size_t size, bool reusable);

 private:
  struct Block {
    std::size_t size = 0;
    std::shared_ptr<SharedFile> file;
    std::uint64_t offset = 0;
    std::size_t pieces = 0;                      // in use
    std::map<std::uintptr_t, std::size_t> free;  // runs by address, none beside another
  };
  using Blocks = std::map<std::uintptr_t, Block>;
  using FreeRun = std::tuple<const SharedFile*, std::size_t, std::uintptr_t>;  // file, size, base

  // Need the lock.
  Blocks::const_iterator block_of(std::uintptr_t address) const;
  bool add_block(const std::shared_ptr<SharedFile>& file);
  void add_free(Block& block, std::uintptr_t base, std::size_t size);
  void remove_free(Block& block, std::map<std::uintptr_t, std::size_t>::iterator run);

  mutable std::mutex mutex_;
  Blocks blocks_;
  std::set<FreeRun> free_;
};

PageRuns& page_runs();

}  // namespace musa
