// MUSA's description of a launch. CUDA's driver has the same.
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

}  // namespace torchada::kernels
