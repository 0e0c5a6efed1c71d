// What a graph node does. A body never changes once made, so graphs, their clones and executable
// graphs share it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "src/host/musa/graph/memory_block.h"
#include "src/host/musa/runtime.h"
#include "src/host/musa/span.h"

namespace musa {

class Event;

struct KernelLaunch;

struct KernelParams {
  musaKernelNodeParams params;
  std::map<musaLaunchAttributeID, musaLaunchAttributeValue> attributes;
  // Null if the function is none of a loaded module: how programs register functions with the
  // runtime has not been published.
  std::shared_ptr<const KernelLaunch> launch;
};

struct EventParams {
  std::shared_ptr<Event> event;
};

struct AllocationParams {
  musaMemAllocNodeParams params;
  std::vector<musaMemAccessDesc> accesses;  // the target of params.accessDescs
  std::shared_ptr<MemoryBlockOwner> owner;
};

struct FreeParams {
  void* pointer;
  std::shared_ptr<MemoryBlock> block;
};

struct NodeBody {
  musaGraphNodeType type = musaGraphNodeTypeEmpty;
  std::variant<std::monostate, KernelParams, musaMemcpy3DParms, musaMemsetParams,
               musaHostNodeParams, EventParams, AllocationParams, FreeParams>
      params;
  // The work of kernel, memcpy and memset nodes.
  std::function<void()> run;
  // Where the target and the source of a copy lie. An executable graph keeps it.
  std::pair<int, int> mapped;

  // The block of a memory node, or null.
  std::shared_ptr<MemoryBlock> block() const {
    if (const auto* allocation = std::get_if<AllocationParams>(&params)) {
      return allocation->owner->block;
    }
    const auto* free = std::get_if<FreeParams>(&params);
    return free != nullptr ? free->block : nullptr;
  }
  bool is_memory_node() const {
    return type == musaGraphNodeTypeMemAlloc || type == musaGraphNodeTypeMemFree;
  }
};

using Body = std::shared_ptr<const NodeBody>;

// Each checks the program's parameters and, if they are valid, makes the body. The first two are
// defined beside the copies (copy.cpp) and fills (fill.cpp).
template <typename Params>
using MakeBody = musaError_t(Runtime& runtime, const Params* params, Body* body);
MakeBody<musaMemcpy3DParms> make_copy_body;
MakeBody<musaMemsetParams> make_fill_body;
MakeBody<musaHostNodeParams> make_host_body;
MakeBody<musaKernelNodeParams> make_kernel_body;
// The work runs on the current device.
Body make_launch_body(Runtime& runtime, std::shared_ptr<const KernelLaunch> launch);
musaError_t make_flat_copy_body(Runtime& runtime, void* dst, const void* src, size_t count,
                                musaMemcpyKind kind, Body* body);
musaError_t make_event_body(musaGraphNodeType type, musaEvent_t event, Body* body);
musaError_t make_allocation_body(Runtime& runtime, musaMemAllocNodeParams* params, Body* body);
musaError_t make_free_body(Runtime& runtime, void* pointer, Body* body);
Body make_empty_body(musaGraphNodeType type);

}  // namespace musa
