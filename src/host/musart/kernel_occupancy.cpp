// How many blocks of a registered function fit on a simulated multiprocessor.
#include <algorithm>

#include "src/host/musart/call.h"
#include "src/host/musart/kernel_registry.h"

namespace musart {
namespace {

struct Occupancy {
  musaDeviceProp prop;
  int thread_limit = 0;
  std::size_t dynamic_limit = 0;
};

Occupancy occupancy_of(int device, KernelFunction& kernel) {
  Occupancy of;
  of.prop = properties_of(device);
  of.thread_limit = kernel.thread_limit > 0
                        ? std::min(kernel.thread_limit, of.prop.maxThreadsPerBlock)
                        : of.prop.maxThreadsPerBlock;
  const std::lock_guard lock(kernel.mutex);
  const int asked = kernel.settings[device].max_dynamic_shared;
  of.dynamic_limit = asked > 0 ? static_cast<std::size_t>(asked) : of.prop.sharedMemPerBlock;
  return of;
}

// Threads are allocated in whole warps.
int blocks_by_threads(const Occupancy& of, int block_size) {
  const int warps = (block_size + of.prop.warpSize - 1) / of.prop.warpSize;
  return std::min(of.prop.maxThreadsPerMultiProcessor / (warps * of.prop.warpSize),
                  of.prop.maxBlocksPerMultiProcessor);
}

int blocks_per_multiprocessor(const Occupancy& of, int block_size, std::size_t dynamic) {
  if (block_size > of.thread_limit || dynamic > of.dynamic_limit) return 0;
  const std::size_t block_shared = dynamic + of.prop.reservedSharedMemPerBlock;
  const int blocks = blocks_by_threads(of, block_size);
  if (block_shared == 0) return blocks;
  return static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(blocks),
                                                of.prop.sharedMemPerMultiprocessor / block_shared));
}

template <typename Result, typename Compute>
musaError_t with_occupancy(Result* result, const void* function, bool arguments_good,
                           Compute&& compute) {
  return call([&](int device) {
    if (result == nullptr || !arguments_good) return musaErrorInvalidValue;
    KernelFunction* kernel = find_kernel(function);
    if (kernel == nullptr) return musaErrorInvalidDeviceFunction;
    return compute(occupancy_of(device, *kernel));
  });
}

// The number of threads in a block of the configuration; 0 if it is zero or too large.
int threads_of(const musaLaunchConfig_t& config) {
  const unsigned long long plane = 1ULL * config.blockDim.x * config.blockDim.y;
  if (plane == 0 || plane > 1024 || config.blockDim.z > 1024) return 0;
  return static_cast<int>(plane * config.blockDim.z);
}

// A cluster must be a single block: the device has no larger ones.
bool asks_for_one_block(const musaLaunchConfig_t& config) {
  for (unsigned int i = 0; i < config.numAttrs; ++i) {
    const musaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == musaLaunchAttributeClusterDimension &&
        (attribute.val.clusterDim.x != 1 || attribute.val.clusterDim.y != 1 ||
         attribute.val.clusterDim.z != 1)) {
      return false;
    }
  }
  return true;
}

bool is_configuration(const musaLaunchConfig_t* config) {
  return config != nullptr && (config->attrs != nullptr || config->numAttrs == 0);
}

musaError_t blocks_with_flags(int* blocks, const void* function, int block_size,
                              std::size_t dynamic, unsigned int flags) {
  const bool good = block_size > 0 &&
                    (flags & ~static_cast<unsigned int>(musaOccupancyDisableCachingOverride)) == 0;
  return with_occupancy(blocks, function, good, [&](const Occupancy& of) {
    *blocks = blocks_per_multiprocessor(of, block_size, dynamic);
    return musaSuccess;
  });
}

}  // namespace
}  // namespace musart

using musart::Occupancy;

musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func,
                                                          int blockSize, size_t dynamicSMemSize) {
  return musart::blocks_with_flags(numBlocks, func, blockSize, dynamicSMemSize,
                                   musaOccupancyDefault);
}

musaError_t musaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags) {
  return musart::blocks_with_flags(numBlocks, func, blockSize, dynamicSMemSize, flags);
}

musaError_t musaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func,
                                                      int numBlocks, int blockSize) {
  return musart::with_occupancy(
      dynamicSmemSize, func, numBlocks > 0 && blockSize > 0, [&](const Occupancy& of) {
        if (blockSize > of.thread_limit || numBlocks > musart::blocks_by_threads(of, blockSize)) {
          return musaErrorInvalidValue;
        }
        const size_t share = of.prop.sharedMemPerMultiprocessor / static_cast<size_t>(numBlocks);
        const size_t reserved = of.prop.reservedSharedMemPerBlock;
        *dynamicSmemSize = std::min(share > reserved ? share - reserved : 0, of.dynamic_limit);
        return musaSuccess;
      });
}

musaError_t musaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                 const musaLaunchConfig_t* launchConfig) {
  return musart::with_occupancy(clusterSize, func, musart::is_configuration(launchConfig),
                                [&](const Occupancy& of) {
                                  const int threads = musart::threads_of(*launchConfig);
                                  if (threads == 0 || threads > of.thread_limit) {
                                    return musaErrorInvalidConfiguration;
                                  }
                                  *clusterSize = 1;
                                  return musaSuccess;
                                });
}

musaError_t musaOccupancyMaxActiveClusters(int* numClusters, const void* func,
                                           const musaLaunchConfig_t* launchConfig) {
  return musart::with_occupancy(
      numClusters, func, musart::is_configuration(launchConfig), [&](const Occupancy& of) {
        const int threads = musart::threads_of(*launchConfig);
        if (threads == 0 || threads > of.thread_limit) return musaErrorInvalidConfiguration;
        if (!musart::asks_for_one_block(*launchConfig)) return musaErrorInvalidClusterSize;
        *numClusters =
            of.prop.multiProcessorCount *
            musart::blocks_per_multiprocessor(of, threads, launchConfig->dynamicSmemBytes);
        return musaSuccess;
      });
}
