// Launches with attributes.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/own_stream.h"
#include "stubs/kernels/launch_config.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::own_stream;
namespace cuda = torchada::cuda;

// CUlaunchAttribute and CUlaunchConfig, which are the same on both sides.
using Attribute = torchada::kernels::LaunchAttribute;
using Config = torchada::kernels::LaunchConfig;
static_assert(sizeof(Attribute) == cuda::sizeof_CUlaunchAttribute);
static_assert(offsetof(Attribute, value) == cuda::CUlaunchAttribute_value);
static_assert(sizeof(Config) == cuda::sizeof_CUlaunchConfig);
static_assert(offsetof(Config, block) == cuda::CUlaunchConfig_blockDimX);
static_assert(offsetof(Config, shared_bytes) == cuda::CUlaunchConfig_sharedMemBytes);
static_assert(offsetof(Config, stream) == cuda::CUlaunchConfig_hStream);
static_assert(offsetof(Config, attributes) == cuda::CUlaunchConfig_attrs);
static_assert(offsetof(Config, count) == cuda::CUlaunchConfig_numAttrs);

int launch(const char* function, const Config& config, void* kernel, void** arguments,
           void** extra) {
  if (config.count != 0 && !config.attributes) return fail(torchada::kInvalid);
  if (const Attribute* const lacking = first_lacking(config.attributes, config.count)) {
    return torchada::refuse_argument(
        function, "config->attrs",
        torchada::enumerator_text("CUkernelNodeAttrID", lacking->id).c_str(),
        "MUSA's launches have no such attribute", torchada::kUnsupported);
  }
  return outcome({function, name_of_launch(config)},
                 torchada::kernels::launch(config, kernel, arguments, extra));
}

int launch_together(const char* function, Config config, void* kernel, void** arguments) {
  const Attribute attribute = torchada::kernels::cooperative();
  config.attributes = &attribute;
  config.count = 1;
  return outcome({function, name_of_launch(config)},
                 torchada::kernels::launch(config, kernel, arguments, nullptr));
}

}  // namespace

extern "C" {

int torchada_adapter_cuLaunchKernelEx(const Config* config, void* kernel, void** arguments,
                                      void** extra) {
  if (!config) return fail(torchada::kInvalid);
  return launch("cuLaunchKernelEx", *config, kernel, arguments, extra);
}

int torchada_adapter_cuLaunchKernelEx_ptsz(const Config* config, void* kernel, void** arguments,
                                           void** extra) {
  if (!config) return fail(torchada::kInvalid);
  Config own = *config;
  own.stream = own_stream(own.stream);
  return launch("cuLaunchKernelEx_ptsz", own, kernel, arguments, extra);
}

int torchada_adapter_cuLaunchCooperativeKernel(void* kernel, unsigned grid_x, unsigned grid_y,
                                               unsigned grid_z, unsigned block_x, unsigned block_y,
                                               unsigned block_z, unsigned shared_bytes,
                                               void* stream, void** arguments) {
  return launch_together(
      "cuLaunchCooperativeKernel",
      {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, nullptr, 0},
      kernel, arguments);
}

}  // extern "C"
