#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace host {

// Every kind of handle that the libraries give out as a number.
enum class HandleKind : std::uint64_t {
  kStream = 1,
  kEvent,
  kContext,
  kModule,
  kFunction,
  kPool,
  kArray,
  kMipmappedArray,
  kTexture,
  kPhysicalMemory,
  kListener,
  kGraph,
  kGraphNode,
  kGraphExec,
  kUserObject,
  kCommunicator,
  kRegistration,
  kBlas,
  kBlasLt,
  kMatrixLayout,
  kMatmulDescription,
  kMatmulPreference,
  kTransformDescription,
  kGenerator,
  kPlan,
  kProgram,
  kManagement,
  kSurface,
};

// The handles of one kind: numbers of which each comes again only after 2^35 others. All kinds have
// ranges of their own, in all libraries together, among addresses that the system gives only to who
// asks for them. So a handle is neither one of another kind nor an address in use, and looks like
// an aligned pointer: some callers keep tag bits in it.
template <HandleKind kind>
class HandleNumbers {
 public:
  std::uintptr_t next() { return kFirst + (last_ += kSpacing) % kRange; }

 private:
  static constexpr std::uintptr_t kSpacing = 64;
  static constexpr std::uintptr_t kRange = std::uintptr_t{1} << 41;
  static constexpr std::uintptr_t kFirst = static_cast<std::uintptr_t>(kind) * kRange;
  static_assert(kFirst < 0x500000000000, "programs and their heaps begin here");

  std::atomic<std::uintptr_t> last_{0};
};

// The live objects behind a library's opaque handles. A destroyed handle, a handle of another kind,
// a foreign pointer or a second destroy is recognised and answered with an error instead of
// touching memory. Objects with a member `handle` learn their own.
template <HandleKind kind, typename Handle, typename Object, typename Numbers = HandleNumbers<kind>>
class HandleTable {
 public:
  Handle insert(const std::shared_ptr<Object>& object) {
    const std::lock_guard lock(mutex_);
    while (true) {
      const std::uintptr_t number = numbers_.next();
      const auto [place, is_free] = objects_.try_emplace(number, object);
      if (!is_free) continue;
      const auto handle = handle_of(number);
      if constexpr (requires { object->handle = handle; }) object->handle = handle;
      return handle;
    }
  }

  // Null if the handle is not live. `Any` is the handle's own type or what it is read as.
  template <typename Any>
  std::shared_ptr<Object> find(Any handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(number_of(handle));
    return found == objects_.end() ? nullptr : found->second;
  }

  template <typename Any>
  std::shared_ptr<Object> remove(Any handle) {
    const std::lock_guard lock(mutex_);
    const auto node = objects_.extract(number_of(handle));
    return node.empty() ? nullptr : node.mapped();
  }

  template <typename Accept>
  std::vector<std::shared_ptr<Object>> list(Accept&& accept) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> listed;
    for (const auto& [number, object] : objects_) {
      if (accept(*object)) listed.push_back(object);
    }
    return listed;
  }

  // Removes and returns what `accept` agrees to.
  template <typename Accept>
  std::vector<std::shared_ptr<Object>> take(Accept&& accept) {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> taken;
    for (auto each = objects_.begin(); each != objects_.end();) {
      if (!accept(*each->second)) {
        ++each;
        continue;
      }
      taken.push_back(std::move(each->second));
      each = objects_.erase(each);
    }
    return taken;
  }

 private:
  static Handle handle_of(std::uintptr_t number) {
    if constexpr (std::is_pointer_v<Handle>) {
      return reinterpret_cast<Handle>(number);
    } else {
      return static_cast<Handle>(number);
    }
  }
  template <typename Any>
  static std::uintptr_t number_of(Any handle) {
    if constexpr (std::is_pointer_v<Any>) {
      return reinterpret_cast<std::uintptr_t>(handle);
    } else {
      return static_cast<std::uintptr_t>(handle);
    }
  }

  mutable std::mutex mutex_;
  Numbers numbers_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Object>> objects_;
};

}  // namespace host
