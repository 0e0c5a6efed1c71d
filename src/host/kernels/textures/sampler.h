// Reads texels as a GPU's texture units do: what CUDA's programming guide says of addressing,
// filtering and cubemaps, in its appendix on texture fetching.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "musa_runtime_api.h"
#include "src/host/kernels/include/torchada_texture.h"

namespace musa {

// The memory of an array, of one level of a mipmapped array, or of a texture on plain memory.
struct TexelBox {
  const unsigned char* start = nullptr;
  std::size_t pitch = 0, slice = 0;
  std::array<int, 3> size{1, 1, 1};  // in elements; layers and faces of a cube are slices
};

// What device code finds behind the handle of a texture.
struct Sampler : torchada_texture {
  static constexpr unsigned int kMostLevels = 32;

  // The texel, from one level and the layer or face that is its slice.
  using Read = torchada_texel (*)(const Sampler& sampler, const TexelBox& box, const float* at,
                                  int slice);

  std::array<musaTextureAddressMode, 3> addressing{};
  bool normalized = false;  // coordinates
  int dimensions = 1;       // that have coordinates
  bool is_cube = false;
  int layers = 0;  // 0: it has none
  bool between_levels = false;
  float bias = 0, least_level = 0, most_level = 0;
  torchada_texel border{};
  std::size_t element = 0;
  unsigned int level_count = 1;
  std::array<TexelBox, kMostLevels> levels{};
  Read read = nullptr;
  torchada_texel (*load)(const unsigned char* element) = nullptr;

  // Fills in the functions. False if CUDA does not filter such elements: integers that are not read
  // as normalized floats.
  bool choose(const musaChannelFormatDesc& format, const musaTextureDesc& how, bool filters);
};

}  // namespace musa
