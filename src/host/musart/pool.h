// Stream-ordered memory: freed blocks are kept and handed out again.
#ifndef TORCHADA_HOST_MUSART_POOL_H_
#define TORCHADA_HOST_MUSART_POOL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "musa_runtime_api.h"

namespace musart {

class Runtime;
class Device;

class Pool {
 public:
  Pool(int device, std::size_t max_size) : device_(device), max_size_(max_size) {}

  int device() const { return device_; }

  // A block of at least this many bytes; 0 if memory does not suffice. `mapped_size` receives its
  // real size.
  std::uintptr_t take(Device& device, std::size_t size, std::size_t* mapped_size);
  // Keeps a block that is not used any more.
  void recycle(Runtime& runtime, std::uintptr_t base, std::size_t mapped_size);
  // Gives unused blocks back until no more than this is held.
  void shrink_to(Runtime& runtime, std::size_t bytes);
  void shrink_to_threshold(Runtime& runtime);
  // What a device reset leaves of its default pool: all settings and marks as at the start.
  void restore_defaults();
  // After the program destroyed the pool: from now on nothing is kept.
  void retire(Runtime& runtime);

  musaError_t get_attribute(musaMemPoolAttr attribute, void* value);
  musaError_t set_attribute(musaMemPoolAttr attribute, const void* value);
  musaMemAccessFlags access_from(int device);
  void set_access_from(int device, musaMemAccessFlags flags);

 private:
  const int device_;
  const std::size_t max_size_;  // 0: no limit of its own

  std::mutex mutex_;
  std::multimap<std::size_t, std::uintptr_t> unused_;  // by size
  std::size_t reserved_ = 0;
  std::size_t reserved_high_ = 0;
  std::size_t used_ = 0;
  std::size_t used_high_ = 0;
  std::uint64_t threshold_ = 0;
  bool retired_ = false;
  // Hints on reuse, kept only to be read back: blocks are reused after their free was executed,
  // which all modes allow.
  int reuse_hints_[3] = {1, 1, 1};
  std::map<int, musaMemAccessFlags> access_;
};

std::shared_ptr<Pool> make_default_pool(int device);
// After a device reset: only the default pool is left.
void reset_pools(Runtime& runtime, Device& device);
// What synchronization does: pools that hold more than their threshold give it back.
void release_excess(int device);
// What the device does when its memory runs out.
void release_all_cached(int device);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_POOL_H_
