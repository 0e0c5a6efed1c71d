// Launches of the functions of loaded modules.
#include <algorithm>

#include "src/host/musa/driver_call.h"
#include "src/host/musa/functions.h"
#include "src/host/musa/graph/capture.h"
#include "src/host/musa/stream_handles.h"

namespace musa {
namespace {

bool is_cooperative(const MUlaunchConfig& config) {
  return std::any_of(config.attrs, config.attrs + config.numAttrs, [](const auto& attribute) {
    return attribute.id == MU_LAUNCH_ATTRIBUTE_COOPERATIVE && attribute.value.cooperative != 0;
  });
}

musaError_t launch(Runtime& runtime, const MUlaunchConfig& config, MUfunction handle,
                   void** parameters, void** extra) {
  const dim3 grid{config.gridDimX, config.gridDimY, config.gridDimZ};
  const dim3 block{config.blockDimX, config.blockDimY, config.blockDimZ};
  MUSA_RETURN_IF_ERROR(check_launch(grid, block, config.sharedMemBytes, config.hStream));
  const auto function = loaded_function(handle);
  const auto stream = resolve_stream(runtime, config.hStream);
  if (function == nullptr || stream == nullptr || function->context != current_context() ||
      stream->device() != function->context->device) {
    return musaErrorInvalidResourceHandle;
  }
  std::shared_ptr<KernelLaunch> made;
  MUSA_RETURN_IF_ERROR(
      prepare_launch(function, grid, block, config.sharedMemBytes, parameters, extra, &made));
  if (is_cooperative(config)) {
    MUSA_RETURN_IF_ERROR(run_together(made.get(), *runtime.device(stream->device())));
  }
  MUSA_RETURN_IF_CAPTURED(stream, [&](Body* body) {
    *body = make_launch_body(runtime, made);
    return musaSuccess;
  });
  Device& device = *runtime.device(stream->device());
  device.submit(stream, [made, &device] { made->run(device); });
  return musaSuccess;
}

// A device without clusters.
musaError_t check_attributes(const MUlaunchConfig& config) {
  for (unsigned int i = 0; i < config.numAttrs; ++i) {
    const MUlaunchAttribute& attribute = config.attrs[i];
    const auto& cluster = attribute.value.clusterDim;
    const bool known = attribute.id >= MU_LAUNCH_ATTRIBUTE_IGNORE &&
                       attribute.id <= MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
    if (!known) return musaErrorInvalidValue;
    if (attribute.id == MU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
        (cluster.x > 1 || cluster.y > 1 || cluster.z > 1)) {
      return musaErrorNotSupported;
    }
  }
  return musaSuccess;
}

}  // namespace
}  // namespace musa

MUresult muLaunchKernel(MUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, MUstream hStream,
                        void** kernelParams, void** extra) {
  const MUlaunchConfig config{gridDimX,  gridDimY,       gridDimZ, blockDimX, blockDimY,
                              blockDimZ, sharedMemBytes, hStream,  nullptr,   0};
  return musa::context_call([&](musa::Runtime& runtime) {
    return musa::launch(runtime, config, f, kernelParams, extra);
  });
}

MUresult muLaunchKernelEx(const MUlaunchConfig* config, MUfunction f, void** kernelParams,
                          void** extra) {
  return musa::context_call([&](musa::Runtime& runtime) {
    if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) {
      return musaErrorInvalidValue;
    }
    MUSA_RETURN_IF_ERROR(musa::check_attributes(*config));
    return musa::launch(runtime, *config, f, kernelParams, extra);
  });
}
