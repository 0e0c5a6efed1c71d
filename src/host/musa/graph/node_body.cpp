#include "src/host/musa/graph/node_body.h"

#include <algorithm>

#include "src/host/musa/event.h"
#include "src/host/musa/functions.h"
#include "src/host/musa/operations.h"

namespace musa {

musaError_t make_flat_copy_body(Runtime& runtime, void* dst, const void* src, size_t count,
                                musaMemcpyKind kind, Body* body) {
  musaMemcpy3DParms params{};
  params.dstPtr = {dst, count, count, 1};
  params.srcPtr = {const_cast<void*>(src), count, count, 1};
  params.extent = {count, 1, 1};
  params.kind = kind;
  return make_copy_body(runtime, &params, body);
}

musaError_t make_host_body(Runtime&, const musaHostNodeParams* params, Body* body) {
  if (params == nullptr || params->fn == nullptr) return musaErrorInvalidValue;
  auto made = std::make_shared<NodeBody>();
  made->type = musaGraphNodeTypeHost;
  made->params = *params;
  *body = std::move(made);
  return musaSuccess;
}

musaError_t make_event_body(musaGraphNodeType type, musaEvent_t event, Body* body) {
  auto found = resolve_event(event);
  // Functions of graphs say so of whatever is wrong.
  if (found == nullptr) return musaErrorInvalidValue;
  auto made = std::make_shared<NodeBody>();
  made->type = type;
  made->params = EventParams{std::move(found)};
  *body = std::move(made);
  return musaSuccess;
}

musaError_t make_kernel_body(Runtime& runtime, const musaKernelNodeParams* params, Body* body) {
  if (params == nullptr) return musaErrorInvalidValue;
  if (params->func == nullptr) return musaErrorInvalidDeviceFunction;
  if (const auto function = loaded_function(params->func)) {
    std::shared_ptr<KernelLaunch> launch;
    // A grid may have no blocks as long as the node is not launched.
    const dim3& grid = params->gridDim;
    const dim3 shape = {std::max(grid.x, 1U), std::max(grid.y, 1U), std::max(grid.z, 1U)};
    MUSA_RETURN_IF_ERROR(check_launch(shape, params->blockDim, params->sharedMemBytes, nullptr));
    MUSA_RETURN_IF_ERROR(prepare_launch(function, params->gridDim, params->blockDim,
                                        params->sharedMemBytes, params->kernelParams, params->extra,
                                        &launch));
    *body = make_launch_body(runtime, std::move(launch));
    return musaSuccess;
  }
  auto made = std::make_shared<NodeBody>();
  made->type = musaGraphNodeTypeKernel;
  made->params = KernelParams{*params, {}, nullptr};
  *body = std::move(made);
  return musaSuccess;
}

Body make_launch_body(Runtime& runtime, std::shared_ptr<const KernelLaunch> launch) {
  auto made = std::make_shared<NodeBody>();
  made->type = musaGraphNodeTypeKernel;
  const Grid& grid = launch->grid;
  musaKernelNodeParams params{};
  params.func = launch->function->handle;
  params.gridDim = {grid.blocks.x, grid.blocks.y, grid.blocks.z};
  params.blockDim = {grid.threads.x, grid.threads.y, grid.threads.z};
  params.sharedMemBytes = static_cast<unsigned int>(grid.dynamic_shared);
  params.kernelParams = const_cast<void**>(launch->pointers.data());
  made->run = [launch, &device = runtime.current()] { launch->run(device); };
  made->params = KernelParams{params, {}, std::move(launch)};
  return made;
}

musaError_t make_allocation_body(Runtime& runtime, musaMemAllocNodeParams* params, Body* body) {
  if (params == nullptr || params->bytesize == 0 ||
      params->poolProps.allocType != musaMemAllocationTypePinned ||
      params->poolProps.handleTypes != musaMemHandleTypeNone ||
      params->poolProps.location.type != musaMemLocationTypeDevice ||
      (params->accessDescs == nullptr && params->accessDescCount != 0)) {
    return musaErrorInvalidValue;
  }
  const int device = params->poolProps.location.id;
  if (runtime.device(device) == nullptr) return musaErrorInvalidValue;
  AllocationParams allocation{*params, {}, nullptr};
  for (size_t i = 0; i < params->accessDescCount; ++i) {
    const musaMemAccessDesc& access = params->accessDescs[i];
    if (access.location.type != musaMemLocationTypeDevice ||
        runtime.device(access.location.id) == nullptr) {
      return musaErrorInvalidValue;
    }
    allocation.accesses.push_back(access);
  }
  auto block = MemoryBlock::reserve(runtime, device, params->bytesize);
  if (block == nullptr) return musaErrorMemoryAllocation;
  params->dptr = allocation.params.dptr = block->pointer();
  allocation.owner = std::make_shared<MemoryBlockOwner>(std::move(block));
  allocation.params.accessDescs = nullptr;
  auto made = std::make_shared<NodeBody>();
  made->type = musaGraphNodeTypeMemAlloc;
  auto& kept = made->params.emplace<AllocationParams>(std::move(allocation));
  if (!kept.accesses.empty()) kept.params.accessDescs = kept.accesses.data();
  *body = std::move(made);
  return musaSuccess;
}

musaError_t make_free_body(Runtime& runtime, void* pointer, Body* body) {
  const auto found = runtime.allocations.find(pointer);
  if (!found || found->graph_block == nullptr ||
      found->base != reinterpret_cast<std::uintptr_t>(pointer)) {
    return musaErrorInvalidValue;
  }
  auto made = std::make_shared<NodeBody>();
  made->type = musaGraphNodeTypeMemFree;
  made->params = FreeParams{pointer, found->graph_block};
  *body = std::move(made);
  return musaSuccess;
}

Body make_empty_body(musaGraphNodeType type) {
  auto made = std::make_shared<NodeBody>();
  made->type = type;
  return made;
}

}  // namespace musa
