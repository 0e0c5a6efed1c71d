// The image that cuLinkComplete makes of several (stubs/cuda/link.cpp): a header and the images,
// one after the other, each behind its size. torchada's driver library loads each of them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stubs/kernels/nvidia_image.h"

namespace torchada::kernels {

struct BundleHeader {
  char magic[16];
  uint64_t size;  // Of everything, in bytes.
  uint64_t count;
};

struct BundlePart {
  uint64_t size;  // Of the image, which follows; the next part begins at a multiple of 16.
  uint64_t reserved;
};

inline constexpr char kBundleMagic[16] = "torchada images";

inline constexpr uint64_t padded(uint64_t size) { return (size + 15) / 16 * 16; }

inline bool is_bundle(const void* image) {
  return begins_with(image, kBundleMagic, sizeof kBundleMagic);
}

}  // namespace torchada::kernels
