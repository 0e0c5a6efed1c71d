#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace host {

// The live objects behind a library's opaque handles. A handle is a number that is never used
// twice. A destroyed handle, a foreign pointer or a second destroy is therefore recognised and
// answered with an error instead of touching freed memory.
template <typename Handle, typename Object>
class HandleTable {
 public:
  Handle insert(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    next_ += kSpacing;
    objects_.emplace(next_, std::move(object));
    return reinterpret_cast<Handle>(next_);
  }

  std::shared_ptr<Object> find(Handle handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == objects_.end() ? nullptr : found->second;
  }

  std::shared_ptr<Object> remove(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto node = objects_.extract(reinterpret_cast<std::uintptr_t>(handle));
    return node.empty() ? nullptr : node.mapped();
  }

 private:
  // Handles look like aligned pointers: some callers keep tag bits in them.
  static constexpr std::uintptr_t kSpacing = 64;

  mutable std::mutex mutex_;
  std::uintptr_t next_ = 0;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Object>> objects_;
};

}  // namespace host
