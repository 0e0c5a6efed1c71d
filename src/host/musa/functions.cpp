#include "src/host/musa/functions.h"

#include <algorithm>
#include <cstring>

#include "src/host/musa/device_properties.h"

namespace musa {
namespace {

// What an entry of `extra` is followed by: b1tg/tinygrad at 134e84a, tinygrad/runtime/ops_musa.py.
void* const kExtraEnd = nullptr;
void* const kExtraBuffer = reinterpret_cast<void*>(1);
void* const kExtraSize = reinterpret_cast<void*>(2);

// Finds the buffer of arguments in `extra`. False if that is malformed.
bool read_extra(void** extra, const void** buffer, std::size_t* size) {
  for (; *extra != kExtraEnd; extra += 2) {
    if (*extra == kExtraBuffer) {
      *buffer = extra[1];
    } else if (*extra == kExtraSize) {
      *size = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return false;
    }
  }
  return true;
}

musaError_t copy_arguments(const torchada_kernel& kernel, void** parameters, void** extra,
                           unsigned char* to) {
  if (parameters != nullptr && extra != nullptr) return musaErrorInvalidValue;
  if (extra != nullptr) {
    const void* buffer = nullptr;
    std::size_t size = 0;
    if (!read_extra(extra, &buffer, &size)) return musaErrorInvalidValue;
    // A struct of the arguments may end in padding.
    constexpr std::size_t kPadding = 16;
    if (size < kernel.parameter_bytes || size - kernel.parameter_bytes >= kPadding ||
        (buffer == nullptr && size != 0)) {
      return musaErrorInvalidValue;
    }
    std::copy_n(static_cast<const unsigned char*>(buffer), kernel.parameter_bytes, to);
    return musaSuccess;
  }
  if (kernel.parameter_count != 0 && parameters == nullptr) return musaErrorInvalidValue;
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const torchada_parameter& parameter = kernel.parameters[i];
    if (parameters[i] == nullptr) return musaErrorInvalidValue;
    std::memcpy(to + parameter.offset, parameters[i], parameter.size);
  }
  return musaSuccess;
}

}  // namespace

musaError_t prepare_launch(const std::shared_ptr<Function>& function, const dim3& grid,
                           const dim3& block, std::size_t dynamic_shared, void** parameters,
                           void** extra, std::shared_ptr<KernelLaunch>* launch) {
  const torchada_kernel& kernel = function->kernel;
  if (kernel.shared_size > kSharedMemoryPerBlock) return musaErrorLaunchOutOfResources;
  if (dynamic_shared > static_cast<std::size_t>(function->most_dynamic_shared.load())) {
    return musaErrorInvalidValue;
  }
  if (std::uint64_t{block.x} * block.y * block.z > function->most_threads()) {
    return musaErrorLaunchOutOfResources;
  }
  auto made = std::make_shared<KernelLaunch>();
  made->function = function;
  made->arguments.resize(std::max<std::size_t>(kernel.parameter_bytes, 1));
  MUSA_RETURN_IF_ERROR(copy_arguments(kernel, parameters, extra, made->arguments.data()));
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    made->pointers.push_back(made->arguments.data() + kernel.parameters[i].offset);
  }
  made->grid = {&function->module->image(),  &kernel,        {grid.x, grid.y, grid.z},
                {block.x, block.y, block.z}, dynamic_shared, made->arguments.data()};
  *launch = std::move(made);
  return musaSuccess;
}

void KernelLaunch::run(Device& device) const {
  if (device.fault.load() != musaSuccess) return;
  // Memory that is freed meanwhile stays mapped until the kernel has ended.
  Runtime::get().gate.run_host_function([&] {
    const musaError_t error = run_grid(grid, device.ordinal);
    if (error != musaSuccess) device.fault.store(error);
  });
}

musaError_t run_together(KernelLaunch* launch, const Device& device) {
  Grid& grid = launch->grid;
  const std::uint64_t threads = std::uint64_t{grid.threads.x} * grid.threads.y * grid.threads.z;
  const std::uint64_t blocks = std::uint64_t{grid.blocks.x} * grid.blocks.y * grid.blocks.z;
  const int most = launch->function->active_blocks(threads, grid.dynamic_shared) *
                   with_processors(device.properties).multiProcessorCount;
  if (blocks > static_cast<std::uint64_t>(most)) return musaErrorCooperativeLaunchTooLarge;
  grid.cooperative = true;
  return musaSuccess;
}

}  // namespace musa
