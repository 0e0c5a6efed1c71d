#include "src/companion/trace/allocations.h"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "src/companion/trace/memory.h"
#include "src/companion/trace/values.h"

namespace torchada::trace {

enum class Effect : std::uint8_t {
  kLinear,  // The second argument is the size.
  // Rows: the second argument points at the bytes per row, the fourth is the number of rows.
  kPitched,
  kBlock,    // The first argument points at a cudaPitchedPtr, the second is the extent.
  kArray,    // Elements: the second argument describes them, the third and fourth count them.
  kArray3D,  // The same with an extent as the third argument.
  kFree,     // The first argument is the address.
  kFreeAll,
};

struct AllocationRule {
  const char* function;
  Effect effect;
};

namespace {

// What each CUDA function does to memory, which no prototype says.
constexpr AllocationRule kRules[] = {
    {"cudaMalloc", Effect::kLinear},
    {"cudaMallocHost", Effect::kLinear},
    {"cudaHostAlloc", Effect::kLinear},
    {"cudaMallocManaged", Effect::kLinear},
    {"cudaMallocAsync", Effect::kLinear},
    {"cudaMallocAsync_ptsz", Effect::kLinear},
    {"cudaMallocFromPoolAsync", Effect::kLinear},
    {"cudaMallocFromPoolAsync_ptsz", Effect::kLinear},
    {"ncclMemAlloc", Effect::kLinear},
    {"pncclMemAlloc", Effect::kLinear},
    {"cudaMallocPitch", Effect::kPitched},
    {"cudaMalloc3D", Effect::kBlock},
    {"cudaMallocArray", Effect::kArray},
    {"cudaMalloc3DArray", Effect::kArray3D},
    {"cudaMallocMipmappedArray", Effect::kArray3D},
    {"cudaFree", Effect::kFree},
    {"cudaFreeHost", Effect::kFree},
    {"cudaFreeAsync", Effect::kFree},
    {"cudaFreeAsync_ptsz", Effect::kFree},
    {"cudaFreeArray", Effect::kFree},
    {"cudaFreeMipmappedArray", Effect::kFree},
    {"ncclMemFree", Effect::kFree},
    {"pncclMemFree", Effect::kFree},
    {"cudaDeviceReset", Effect::kFreeAll},
};

// The 64-bit word number `index` at `address`; 0 if it cannot be read.
std::uint64_t remote_word(std::uint64_t address, std::size_t index = 0) {
  std::uint64_t out = 0;
  return read_memory(address + index * sizeof out, &out, sizeof out) ? out : 0;
}

// Bytes of one element; the descriptor starts with four widths in bits.
std::uint64_t element_size(std::uint64_t descriptor) {
  std::int32_t bits[4] = {};
  if (!read_memory(descriptor, bits, sizeof bits)) return 0;
  return static_cast<std::uint64_t>(bits[0] + bits[1] + bits[2] + bits[3]) / 8;
}

std::uint64_t at_least_one(std::uint64_t number) { return std::max<std::uint64_t>(number, 1); }

const std::uint64_t* extent(const void* argument) {
  return static_cast<const std::uint64_t*>(argument);
}

std::uint64_t allocated_bytes(const Call& call) {
  void* const* arguments = call.arguments;
  switch (call.traced->allocation->effect) {
    case Effect::kLinear:
      return word_at(arguments[1]);
    case Effect::kPitched:
      return remote_word(word_at(arguments[1])) * word_at(arguments[3]);
    case Effect::kBlock:
      return remote_word(word_at(arguments[0]), 1) * extent(arguments[1])[1] *
             extent(arguments[1])[2];
    case Effect::kArray:
      return element_size(word_at(arguments[1])) * word_at(arguments[2]) *
             at_least_one(word_at(arguments[3]));
    case Effect::kArray3D: {
      const std::uint64_t* size = extent(arguments[2]);
      return element_size(word_at(arguments[1])) * size[0] * at_least_one(size[1]) *
             at_least_one(size[2]);
    }
    case Effect::kFree:
    case Effect::kFreeAll:
      break;
  }
  return 0;
}

struct Walk {
  const void* own_base;
  std::uint64_t found = 0;
};

const void* base_of(std::uint64_t address) {
  Dl_info info;
  return dladdr(reinterpret_cast<void*>(address), &info) == 0 ? nullptr : info.dli_fbase;
}

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* data) {
  auto* walk = static_cast<Walk*>(data);
  // Minus one: the return address may lie beyond the call, and this is inside it.
  const std::uint64_t address = _Unwind_GetIP(frame) - 1;
  if (base_of(address) == walk->own_base) return _URC_NO_REASON;
  walk->found = address;
  return _URC_END_OF_STACK;
}

}  // namespace

const AllocationRule* allocation_rule(const char* function) {
  const auto* found = std::find_if(std::begin(kRules), std::end(kRules), [&](const auto& rule) {
    return std::strcmp(rule.function, function) == 0;
  });
  return found == std::end(kRules) ? nullptr : found;
}

bool frees(const AllocationRule& rule) {
  return rule.effect == Effect::kFree || rule.effect == Effect::kFreeAll;
}

Allocations::Pending Allocations::before_call(const Call& call) {
  if (call.traced->allocation->effect != Effect::kFree) return {};
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(word_at(call.arguments[0]));
  if (found == live_.end()) return {};
  const Pending out = found->second;
  live_.erase(found);
  counts_.live_bytes -= out.bytes;
  return out;
}

void Allocations::after_call(const Call& call, const Pending& pending, std::uint64_t caller) {
  const std::lock_guard lock(mutex_);
  switch (call.traced->allocation->effect) {
    case Effect::kFree:
      if (pending.address == 0) return;
      if (call.failed) return add(pending);
      ++counts_.frees;
      return;
    case Effect::kFreeAll:
      if (call.failed) return;
      live_.clear();
      counts_.live_bytes = 0;
      return;
    default:
      break;
  }
  const std::uint64_t address = call.failed ? 0 : remote_word(word_at(call.arguments[0]));
  if (address == 0) return;
  ++counts_.allocations;
  add({address, allocated_bytes(call), call.traced, caller});
}

void Allocations::add(const Pending& allocation) {
  live_[allocation.address] = allocation;
  counts_.live_bytes += allocation.bytes;
  counts_.peak_bytes = std::max(counts_.peak_bytes, counts_.live_bytes);
}

MemoryReport Allocations::report() {
  const std::lock_guard lock(mutex_);
  MemoryReport out = counts_;
  out.live_count = live_.size();
  std::map<std::pair<std::uint64_t, std::string>, Leak> leaks;
  for (const auto& [address, each] : live_) {
    Leak& leak = leaks[{each.caller, each.function->name()}];
    if (leak.count == 0) {
      leak.function = each.function->name();
      leak.caller = place_of_code(each.caller);
      if (leak.caller.empty()) leak.caller = fmt::format("{:#x}", each.caller);
    }
    ++leak.count;
    leak.bytes += each.bytes;
  }
  for (auto& [key, leak] : leaks) out.leaks.push_back(leak);
  std::stable_sort(out.leaks.begin(), out.leaks.end(),
                   [](const Leak& a, const Leak& b) { return a.bytes > b.bytes; });
  return out;
}

void Allocations::after_fork(bool is_child) {
  if (is_child) {
    live_.clear();
    counts_ = {};
  }
  mutex_.unlock();
}

std::uint64_t calling_address() {
  Walk walk{base_of(reinterpret_cast<std::uint64_t>(&calling_address))};
  _Unwind_Backtrace(visit, &walk);
  return walk.found;
}

}  // namespace torchada::trace
