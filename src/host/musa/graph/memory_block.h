// Memory of a graph. Making the allocation node fixes its address. Its pages exist from the first
// launch on and stay for the next one until they are trimmed.
//
// Each block tracks twice whether it is allocated: in the order in which the program submits work
// (launches and frees), and in the order in which streams execute it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "src/host/musa/runtime.h"

namespace musa {

class MemoryBlock : public std::enable_shared_from_this<MemoryBlock> {
 public:
  // Null if the address space is exhausted.
  static std::shared_ptr<MemoryBlock> reserve(Runtime& runtime, int device, std::size_t size);

  MemoryBlock(Runtime& runtime, int device, std::uintptr_t base, std::size_t mapped_size)
      : runtime_(runtime), device_(device), base_(base), mapped_size_(mapped_size) {}

  void* pointer() const { return reinterpret_cast<void*>(base_); }
  int device() const { return device_; }

  // Called before a launch is submitted: gets pages. Returns false if memory does not suffice or a
  // device reset destroyed the block. Each success must be followed by one end_launch().
  bool begin_launch();
  void end_launch();

  // State in the order of submission.
  bool is_allocated();
  void set_allocated();
  bool set_freed();  // false if it was not allocated

  // State in the order of execution. Copies and fills check whether the block is live
  // (Allocation::is_live()).
  void become_live();
  void become_unused();

  // Called when nothing can launch it any more.
  void abandon();
  // Called by a device reset.
  void take_away();
  // Frees the pages if no launch needs them.
  void trim();

 private:
  bool try_begin_launch();
  bool is_needed() const { return allocated_ || live_.load() || launches_ != 0; }
  void drop_if_unneeded();
  void give_pages_back();

  Runtime& runtime_;
  const int device_;
  const std::uintptr_t base_;
  const std::size_t mapped_size_;
  std::atomic<bool> live_{false};
  bool has_pages_ = false;
  bool allocated_ = false;
  bool abandoned_ = false;
  bool gone_ = false;
  int launches_ = 0;
};

// Held by everything that can launch the block.
struct MemoryBlockOwner {
  explicit MemoryBlockOwner(std::shared_ptr<MemoryBlock> owned) : block(std::move(owned)) {}
  ~MemoryBlockOwner() {
    try {
      block->abandon();
    } catch (...) {
      // A lock failed. Keeping the memory is the lesser evil.
    }
  }
  MemoryBlockOwner(const MemoryBlockOwner&) = delete;
  MemoryBlockOwner& operator=(const MemoryBlockOwner&) = delete;
  const std::shared_ptr<MemoryBlock> block;
};

// musaFreeAsync and musaFree for memory of a graph. The first runs in stream order.
musaError_t free_block_in_stream(Runtime& runtime, const std::shared_ptr<MemoryBlock>& block,
                                 const std::shared_ptr<Stream>& stream);
musaError_t free_block_now(Runtime& runtime, const std::shared_ptr<MemoryBlock>& block);

}  // namespace musa
