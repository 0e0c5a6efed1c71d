// Launches by MUSA's driver. Its description of a launch is also that of CUDA's driver.
#pragma once

#include <stddef.h>

#include "facts.h"

namespace torchada::kernels {

// MUlaunchAttribute.
struct LaunchAttribute {
  int id;
  char pad[4];
  alignas(8) unsigned char value[musa::sizeof_MUlaunchAttributeValue];
};
static_assert(sizeof(LaunchAttribute) == musa::sizeof_MUlaunchAttribute);
static_assert(offsetof(LaunchAttribute, value) == musa::MUlaunchAttribute_value);

// MUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned count;
};
static_assert(sizeof(LaunchConfig) == musa::sizeof_MUlaunchConfig);
static_assert(offsetof(LaunchConfig, stream) == musa::MUlaunchConfig_hStream);
static_assert(offsetof(LaunchConfig, attributes) == musa::MUlaunchConfig_attrs);
static_assert(offsetof(LaunchConfig, count) == musa::MUlaunchConfig_numAttrs);

// The first attribute that MUSA's launches lack; null if they have all.
inline const LaunchAttribute* first_lacking(const LaunchAttribute* attributes, unsigned count) {
  // Up to the priority, both sides have the same numbers.
  for (unsigned i = 0; i < count; ++i) {
    if (attributes[i].id < 0 || attributes[i].id > musa::MU_LAUNCH_ATTRIBUTE_PRIORITY) {
      return &attributes[i];
    }
  }
  return nullptr;
}

// All blocks of such a launch run at the same time.
inline LaunchAttribute cooperative() {
  LaunchAttribute made = {};
  made.id = musa::MU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  made.value[musa::MUlaunchAttributeValue_cooperative] = 1;
  return made;
}

inline const char* name_of_launch(const LaunchConfig& config) {
  return config.count == 0 ? "muLaunchKernel" : "muLaunchKernelEx";
}

// Returns MUSA's status. muLaunchKernel is known from more sources, so it serves launches without
// attributes.
inline int launch(const LaunchConfig& config, void* function, void** arguments, void** extra) {
  const auto& [x, y, z] = config.grid;
  const auto& block = config.block;
  return config.count == 0 ? muLaunchKernel(function, x, y, z, block[0], block[1], block[2],
                                            config.shared_bytes, config.stream, arguments, extra)
                           : muLaunchKernelEx(&config, function, arguments, extra);
}

}  // namespace torchada::kernels
