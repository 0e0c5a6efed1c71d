// Launches with attributes.
#include <stddef.h>

#include "facts.h"
#include "stubs/cuda/own_stream.h"
#include "stubs/fallback.h"
#include "stubs/kernels/launch_config.h"
#include "stubs/outcome.h"
#include "stubs/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
using torchada::driver::own_stream;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

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

// The attributes up to this one are MUSA's too, under CUDA's numbers.
constexpr long long kLastOfMusa = cuda::CU_LAUNCH_ATTRIBUTE_PRIORITY;

// 0, or the status to return because MUSA lacks an attribute.
int refuse_attributes(const char* function, const Config& config) {
  for (unsigned i = 0; i < config.count; ++i) {
    const int id = config.attributes[i].id;
    if (id >= 0 && id <= kLastOfMusa) continue;
    return torchada::refuse_argument(
        function, "config->attrs", torchada::enumerator_text("CUkernelNodeAttrID", id).c_str(),
        "MUSA's launches have no such attribute", torchada::kUnsupported);
  }
  return 0;
}

// muLaunchKernel is known from more sources, so it serves launches without attributes.
int launch(const char* function, const Config& config, void* kernel, void** arguments,
           void** extra) {
  if (config.count == 0) {
    return outcome({function, "muLaunchKernel"},
                   muLaunchKernel(kernel, config.grid[0], config.grid[1], config.grid[2],
                                  config.block[0], config.block[1], config.block[2],
                                  config.shared_bytes, config.stream, arguments, extra));
  }
  if (!config.attributes) return fail(torchada::kInvalid);
  if (const int status = refuse_attributes(function, config)) return status;
  return outcome({function, "muLaunchKernelEx"},
                 muLaunchKernelEx(&config, kernel, arguments, extra));
}

int launch_together(const char* function, Config config, void* kernel, void** arguments) {
  Attribute cooperative = {};
  cooperative.id = static_cast<int>(cuda::CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  cooperative.value[musa::MUlaunchAttributeValue_cooperative] = 1;
  config.attributes = &cooperative;
  config.count = 1;
  return outcome({function, "muLaunchKernelEx"},
                 muLaunchKernelEx(&config, kernel, arguments, nullptr));
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

int torchada_adapter_cuLaunchCooperativeKernel_ptsz(void* kernel, unsigned grid_x, unsigned grid_y,
                                                    unsigned grid_z, unsigned block_x,
                                                    unsigned block_y, unsigned block_z,
                                                    unsigned shared_bytes, void* stream,
                                                    void** arguments) {
  return launch_together("cuLaunchCooperativeKernel_ptsz",
                         {{grid_x, grid_y, grid_z},
                          {block_x, block_y, block_z},
                          shared_bytes,
                          own_stream(stream),
                          nullptr,
                          0},
                         kernel, arguments);
}

}  // extern "C"
