// Stream-ordered memory: freed blocks are kept and reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "musa_runtime_api.h"
#include "src/host/musa/pages.h"
#include "src/host/shared/handle_table.h"

namespace musa {

class Pool {
 public:
  // With a file, the blocks lie in it and other processes can import them. An imported pool has the
  // file of another process and allocates no memory.
  Pool(int device, std::size_t max_size, std::shared_ptr<SharedFile> file = nullptr,
       bool imported = false)
      : device_(device), max_size_(max_size), imported_(imported), file_(std::move(file)) {}

  musaMemPool_t handle = nullptr;

  int device() const { return device_; }
  bool is_imported() const { return imported_; }
  // Null if the pool cannot be shared.
  const std::shared_ptr<SharedFile>& file() const { return file_; }

  // A block of at least this many bytes. Base 0 if memory does not suffice.
  Mapping take(Device& device, std::size_t size);
  // Keeps a block that is no longer used.
  void recycle(Runtime& runtime, const Mapping& block);
  // Frees unused blocks until the pool holds no more than this.
  void shrink_to(Runtime& runtime, std::size_t bytes);
  void shrink_to_threshold(Runtime& runtime);
  // Called by a device reset for its default pool: restores all settings and marks.
  void restore_defaults();
  // Called when the program destroys the pool: from now on it keeps no blocks.
  void retire(Runtime& runtime);

  musaError_t get_attribute(musaMemPoolAttr attribute, void* value);
  musaError_t set_attribute(musaMemPoolAttr attribute, const void* value);
  musaMemAccessFlags access_from(int device);
  void set_access_from(int device, musaMemAccessFlags flags);

 private:
  const int device_;
  const std::size_t max_size_;  // 0: no limit
  const bool imported_;
  const std::shared_ptr<SharedFile> file_;

  std::mutex mutex_;
  std::multimap<std::size_t, Mapping> unused_;  // by size
  std::size_t reserved_ = 0;
  std::size_t reserved_high_ = 0;
  std::size_t used_ = 0;
  std::size_t used_high_ = 0;
  std::uint64_t threshold_ = 0;
  bool retired_ = false;
  // Hints on reuse, kept only to be read back. A block is reused after its free was executed, which
  // all modes allow.
  int reuse_hints_[3] = {1, 1, 1};
  std::map<int, musaMemAccessFlags> access_;
};

using PoolHandles = host::HandleTable<host::HandleKind::kPool, musaMemPool_t, Pool>;

PoolHandles& pool_handles();

std::shared_ptr<Pool> make_default_pool(int device);
// Called by a device reset: only the default pool remains.
void reset_pools(Runtime& runtime, Device& device);
// Called by synchronization: pools free what exceeds their threshold.
void release_excess(int device);
// Called when the device runs out of memory.
void release_all_cached(int device);

// Called when addresses have run out: gives back what pools keep and what is reserved to recognise
// late uses. Whether it is worth trying again.
bool retry_with_freed_addresses(int device);
// Zeroed pages, in `file` unless that is null. Base 0 if there are no addresses even after that.
Mapping map_uncounted(int device, std::size_t size, const std::shared_ptr<SharedFile>& file);
// The same, counted against the device. Base 0 if memory does not suffice even after the device's
// pools freed their unused blocks.
Mapping map_pages(Device& device, std::size_t mapped_size, const std::shared_ptr<SharedFile>& file);

}  // namespace musa
