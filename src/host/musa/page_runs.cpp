#include "src/host/musa/page_runs.h"

#include <sys/mman.h>
#include <unistd.h>

#include <iterator>

#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

constexpr std::size_t kBlockSize = std::size_t{16} << 20;

// What precedes a piece: in a file, the page that says whether others can map it.
std::size_t header_size(const SharedFile* file) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return file == nullptr ? 0 : page;
}

}  // namespace

PageRuns::Blocks::const_iterator PageRuns::block_of(std::uintptr_t address) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return blocks_.end();
  const auto block = std::prev(after);
  return address - block->first < block->second.size ? block : blocks_.end();
}

bool PageRuns::add_block(const std::shared_ptr<SharedFile>& file) {
  Block block{kBlockSize, file, 0, 0, {}};
  std::uintptr_t base = 0;
  if (file != nullptr) {
    base = file->map_new(kBlockSize, &block.offset);
  } else {
    void* pages =
        mmap(nullptr, kBlockSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED) base = reinterpret_cast<std::uintptr_t>(pages);
  }
  if (base == 0) return false;
  add_free(blocks_[base] = std::move(block), base, kBlockSize);
  return true;
}

void PageRuns::remove_free(Block& block, std::map<std::uintptr_t, std::size_t>::iterator run) {
  free_.erase({block.file.get(), run->second, run->first});
  block.free.erase(run);
}

void PageRuns::add_free(Block& block, std::uintptr_t base, std::size_t size) {
  const auto after = block.free.lower_bound(base);
  if (after != block.free.end() && after->first == base + size) {
    size += after->second;
    remove_free(block, after);
  }
  auto before = block.free.lower_bound(base);
  if (before != block.free.begin()) {
    --before;
    if (before->first + before->second == base) {
      base = before->first;
      size += before->second;
      remove_free(block, before);
    }
  }
  block.free[base] = size;
  free_.insert({block.file.get(), size, base});
}

Mapping PageRuns::take(std::size_t size, const std::shared_ptr<SharedFile>& file) {
  const std::size_t header = header_size(file.get());
  const std::size_t whole = header + size;
  const std::lock_guard lock(mutex_);
  const auto find = [&] { return free_.lower_bound({file.get(), whole, 0}); };
  auto found = find();
  if (found == free_.end() || std::get<0>(*found) != file.get()) {
    if (!add_block(file)) return {};
    found = find();
  }
  const auto [ignored, run_size, start] = *found;
  auto& [block_base, block] = *blocks_.find(block_of(start)->first);
  remove_free(block, block.free.find(start));
  if (run_size > whole) add_free(block, start + whole, run_size - whole);
  ++block.pieces;
  const std::uintptr_t base = start + header;
  return {base, size, file, file == nullptr ? 0 : block.offset + (base - block_base)};
}

bool PageRuns::contains(std::uintptr_t address) const {
  const std::lock_guard lock(mutex_);
  return block_of(address) != blocks_.end();
}

bool PageRuns::close(std::uintptr_t base, std::size_t size) {
  const std::lock_guard lock(mutex_);
  const bool in_file = block_of(base)->second.file != nullptr;
  auto* const pages = reinterpret_cast<void*>(base);
  return (in_file || madvise(pages, size, MADV_DONTNEED) == 0) &&
         mprotect(pages, size, PROT_NONE) == 0;
}

void PageRuns::give_back(std::uintptr_t base, std::size_t size, bool reusable) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(block_of(base)->first);
  Block& block = found->second;
  if (--block.pieces == 0) {
    while (!block.free.empty()) remove_free(block, block.free.begin());
    munmap(reinterpret_cast<void*>(found->first), block.size);
    blocks_.erase(found);
    return;
  }
  // If they cannot be made accessible, they stay closed until the block goes.
  const bool open =
      reusable && mprotect(reinterpret_cast<void*>(base), size, PROT_READ | PROT_WRITE) == 0;
  const std::size_t header = header_size(block.file.get());
  if (open) add_free(block, base - header, header + size);
}

PageRuns& page_runs() { return host::never_destroyed<PageRuns>(); }

}  // namespace musa
