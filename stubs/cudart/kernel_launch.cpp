// Launches of registered kernels that a kernel library has, by MUSA's driver.
#include <stdint.h>

#include "stubs/cudart/kernel_code.h"
#include "stubs/kernels/launch_config.h"
#include "stubs/reporting/refusal.h"

using namespace torchada;

namespace {

using kernels::LaunchAttribute;
using kernels::LaunchConfig;

struct Dim3 {
  unsigned x, y, z;
};
static_assert(sizeof(Dim3) == cuda::sizeof_dim3);

// cudaLaunchConfig_t. Its attributes are the driver's.
struct Config {
  Dim3 grid;
  Dim3 block;
  size_t shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned count;
};
static_assert(sizeof(Config) == cuda::sizeof_cudaLaunchConfig_t);
static_assert(offsetof(Config, block) == cuda::cudaLaunchConfig_t_blockDim);
static_assert(offsetof(Config, shared_bytes) == cuda::cudaLaunchConfig_t_dynamicSmemBytes);
static_assert(offsetof(Config, stream) == cuda::cudaLaunchConfig_t_stream);
static_assert(offsetof(Config, attributes) == cuda::cudaLaunchConfig_t_attrs);
static_assert(offsetof(Config, count) == cuda::cudaLaunchConfig_t_numAttrs);
static_assert(sizeof(LaunchAttribute) == cuda::sizeof_cudaLaunchAttribute);
static_assert(offsetof(LaunchAttribute, value) == cuda::cudaLaunchAttribute_val);

constexpr int kInvalidConfiguration = static_cast<int>(cuda::cudaErrorInvalidConfiguration);

bool is_empty(const Dim3& size) { return size.x == 0 || size.y == 0 || size.z == 0; }

// What the driver calls an invalid value, the runtime tells apart.
int status_of_launch(int musa_status, const kernels::Code& code, const Dim3& block) {
  int most = 0;
  if (musa_status != kInvalidValue ||
      muFuncGetAttribute(&most, musa::MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, code.function) !=
          0) {
    return musa_status;
  }
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  return threads > static_cast<uint64_t>(most) ? kInvalidConfiguration : musa_status;
}

int launch(const char* function, const void* kernel, const Config& config, void** arguments) {
  if (is_empty(config.grid) || is_empty(config.block)) return fail(kInvalidConfiguration);
  if (config.shared_bytes > UINT32_MAX || (config.count != 0 && !config.attributes)) {
    return fail(kInvalidValue);
  }
  if (const LaunchAttribute* const lacking =
          kernels::first_lacking(config.attributes, config.count)) {
    return refuse_argument(function, "config->attrs",
                           enumerator_text("cudaLaunchAttributeID", lacking->id).c_str(),
                           "MUSA's launches have no such attribute", kNotSupported);
  }
  const auto& [grid, block, shared_bytes, stream, attributes, count] = config;
  const LaunchConfig musa_config = {{grid.x, grid.y, grid.z},
                                    {block.x, block.y, block.z},
                                    static_cast<unsigned>(shared_bytes),
                                    stream,
                                    attributes,
                                    count};
  return with_code(function, kernel, [&](const kernels::Code& code) {
    return status_of_launch(kernels::launch(musa_config, code.function, arguments, nullptr), code,
                            config.block);
  });
}

int launch_together(const char* function, const void* kernel, Config config, void** arguments) {
  const LaunchAttribute attribute = kernels::cooperative();
  config.attributes = &attribute;
  config.count = 1;
  return launch(function, kernel, config, arguments);
}

}  // namespace

extern "C" {

int torchada_registered_cudaLaunchKernel(const void* kernel, Dim3 grid, Dim3 block,
                                         void** arguments, size_t shared_bytes, void* stream) {
  return launch("cudaLaunchKernel", kernel, {grid, block, shared_bytes, stream, nullptr, 0},
                arguments);
}

int torchada_registered_cudaLaunchKernel_ptsz(const void* kernel, Dim3 grid, Dim3 block,
                                              void** arguments, size_t shared_bytes, void* stream) {
  return launch("cudaLaunchKernel_ptsz", kernel,
                {grid, block, shared_bytes, own_stream(stream), nullptr, 0}, arguments);
}

// What nvcc's code calls with what __cudaGetKernel gave it.
int torchada_registered___cudaLaunchKernel(const void* kernel, Dim3 grid, Dim3 block,
                                           void** arguments, size_t shared_bytes, void* stream) {
  return launch("__cudaLaunchKernel", kernel, {grid, block, shared_bytes, stream, nullptr, 0},
                arguments);
}

int torchada_registered___cudaLaunchKernel_ptsz(const void* kernel, Dim3 grid, Dim3 block,
                                                void** arguments, size_t shared_bytes,
                                                void* stream) {
  return launch("__cudaLaunchKernel_ptsz", kernel,
                {grid, block, shared_bytes, own_stream(stream), nullptr, 0}, arguments);
}

int torchada_registered_cudaLaunchKernelExC(const Config* config, const void* kernel,
                                            void** arguments) {
  if (!config) return fail(kInvalidValue);
  return launch("cudaLaunchKernelExC", kernel, *config, arguments);
}

int torchada_registered_cudaLaunchKernelExC_ptsz(const Config* config, const void* kernel,
                                                 void** arguments) {
  if (!config) return fail(kInvalidValue);
  Config own = *config;
  own.stream = own_stream(own.stream);
  return launch("cudaLaunchKernelExC_ptsz", kernel, own, arguments);
}

int torchada_registered_cudaLaunchCooperativeKernel(const void* kernel, Dim3 grid, Dim3 block,
                                                    void** arguments, size_t shared_bytes,
                                                    void* stream) {
  return launch_together("cudaLaunchCooperativeKernel", kernel,
                         {grid, block, shared_bytes, stream, nullptr, 0}, arguments);
}

int torchada_registered_cudaLaunchCooperativeKernel_ptsz(const void* kernel, Dim3 grid, Dim3 block,
                                                         void** arguments, size_t shared_bytes,
                                                         void* stream) {
  return launch_together("cudaLaunchCooperativeKernel_ptsz", kernel,
                         {grid, block, shared_bytes, own_stream(stream), nullptr, 0}, arguments);
}

}  // extern "C"
