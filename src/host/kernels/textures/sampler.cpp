#include "src/host/kernels/textures/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "src/host/shared/narrow/narrow_types.h"

namespace musa {
namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// A channel as a texel has it: kinds of reading a stored value of some type.
template <typename Stored>
struct AsInteger {
  static constexpr bool kIsFloat = false;
  static std::uint32_t convert(Stored stored, int) { return static_cast<std::uint32_t>(stored); }
  using Type = Stored;
};

template <typename Stored>
struct AsFloat {
  static constexpr bool kIsFloat = true;
  static std::uint32_t convert(Stored stored, int) { return bits_of(static_cast<float>(stored)); }
  using Type = Stored;
};

// The whole range becomes 0 to 1, or -1 to 1.
template <typename Stored>
struct AsNormalized {
  static constexpr bool kIsFloat = true;
  static std::uint32_t convert(Stored stored, int) {
    constexpr auto kMost = static_cast<float>(std::numeric_limits<Stored>::max());
    return bits_of(std::max(static_cast<float>(stored) / kMost, -1.0F));
  }
  using Type = Stored;
};

// Colours are stored by the curve of sRGB, the fourth channel is not.
struct AsColor {
  static constexpr bool kIsFloat = true;
  static std::uint32_t convert(std::uint8_t stored, int channel) {
    const float value = static_cast<float>(stored) / 255;
    if (channel == 3) return bits_of(value);
    return bits_of(value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F));
  }
  using Type = std::uint8_t;
};

template <typename Kind, int kChannels>
torchada_texel load(const unsigned char* element) {
  torchada_texel texel{};
  for (int i = 0; i < kChannels; ++i) {
    typename Kind::Type stored{};
    std::memcpy(&stored, element + i * sizeof stored, sizeof stored);
    texel.channels[i] = Kind::convert(stored, i);
  }
  return texel;
}

// The number of an element in its row, column or stack; -1 is the border.
int place_of(musaTextureAddressMode mode, int index, int size) {
  if (static_cast<unsigned int>(index) < static_cast<unsigned int>(size)) return index;
  switch (mode) {
    case musaAddressModeWrap:
      return (index % size + size) % size;
    case musaAddressModeMirror: {
      const int within = (index % (2 * size) + 2 * size) % (2 * size);
      return within < size ? within : 2 * size - 1 - within;
    }
    case musaAddressModeBorder:
      return -1;
    default:
      return index < 0 ? 0 : size - 1;
  }
}

// A coordinate in elements. What lies far outside is brought near, so that it fits an int in units
// of 1/256; not a number is 0 then.
float scaled(const Sampler& sampler, int dimension, float at, int size) {
  const musaTextureAddressMode mode = sampler.addressing[dimension];
  if (sampler.normalized) {
    if (mode == musaAddressModeWrap) at -= std::floor(at);
    if (mode == musaAddressModeMirror) at -= 2 * std::floor(at / 2);
    at *= static_cast<float>(size);
  }
  constexpr float kFar = 1 << 22;
  return at > -kFar ? std::min(at, kFar) : at <= -kFar ? -kFar : 0.0F;
}

template <typename Kind, int kChannels>
torchada_texel nearest(const Sampler& sampler, const TexelBox& box, const float* at, int slice) {
  std::array<int, 3> place{0, 0, slice};
  for (int i = 0; i < sampler.dimensions; ++i) {
    const float where = scaled(sampler, i, at[i], box.size[i]);
    place[i] = place_of(sampler.addressing[i], static_cast<int>(std::floor(where)), box.size[i]);
    if (place[i] < 0) return sampler.border;
  }
  return load<Kind, kChannels>(box.start + place[2] * box.slice + place[1] * box.pitch +
                               place[0] * (kChannels * sizeof(typename Kind::Type)));
}

// The two elements between which a coordinate lies, and how near it is to the second one: a number
// of 9 bits, 8 of them behind the point.
struct Between {
  int first, second;
  float weight;

  static Between of(const Sampler& sampler, int dimension, float at, int size) {
    const auto fixed =
        static_cast<int>(std::lrint((scaled(sampler, dimension, at, size) - 0.5F) * 256));
    const musaTextureAddressMode mode = sampler.addressing[dimension];
    return {place_of(mode, fixed >> 8, size), place_of(mode, (fixed >> 8) + 1, size),
            static_cast<float>(fixed & 255) / 256};
  }
};

template <typename Kind, int kChannels, int kDimensions>
torchada_texel filtered(const Sampler& sampler, const TexelBox& box, const float* at, int slice) {
  std::array<Between, 3> axes{};
  for (int i = 0; i < kDimensions; ++i) axes[i] = Between::of(sampler, i, at[i], box.size[i]);
  std::array<float, kChannels> sum{};
  for (unsigned int corner = 0; corner < 1U << kDimensions; ++corner) {
    std::array<int, 3> place{0, 0, slice};
    float weight = 1;
    bool outside = false;
    for (int i = 0; i < kDimensions; ++i) {
      const bool second = (corner >> i & 1) != 0;
      place[i] = second ? axes[i].second : axes[i].first;
      weight *= second ? axes[i].weight : 1 - axes[i].weight;
      outside = outside || place[i] < 0;
    }
    const torchada_texel texel =
        outside ? sampler.border
                : load<Kind, kChannels>(box.start + place[2] * box.slice + place[1] * box.pitch +
                                        place[0] * (kChannels * sizeof(typename Kind::Type)));
    for (int i = 0; i < kChannels; ++i) {
      // Nothing of it is taken, not even of an infinity.
      if (weight != 0) sum[i] += weight * float_of(texel.channels[i]);
    }
  }
  torchada_texel texel{};
  for (int i = 0; i < kChannels; ++i) texel.channels[i] = bits_of(sum[i]);
  return texel;
}

// Turns a direction from the middle of a cube into coordinates on one of its faces. Returns which.
int face_of(float* at) {
  const float x = at[0], y = at[1], z = at[2];
  const float width = std::fabs(x), height = std::fabs(y), depth = std::fabs(z);
  const auto on = [&](int face, float s, float t, float distance) {
    at[0] = (s / distance + 1) / 2;
    at[1] = (t / distance + 1) / 2;
    return face;
  };
  if (width >= height && width >= depth) return x >= 0 ? on(0, -z, -y, width) : on(1, z, -y, width);
  if (height >= depth) return y >= 0 ? on(2, x, z, height) : on(3, x, -z, height);
  return z >= 0 ? on(4, x, -y, depth) : on(5, -x, -y, depth);
}

torchada_texel sample(const torchada_texture* texture, float x, float y, float z, int layer,
                      float level) {
  const auto& sampler = *static_cast<const Sampler*>(texture);
  std::array<float, 3> at{x, y, z};
  int slice = sampler.layers == 0 ? 0 : std::clamp(layer, 0, sampler.layers - 1);
  if (sampler.is_cube) slice = slice * 6 + face_of(at.data());
  if (sampler.level_count == 1) return sampler.read(sampler, sampler.levels[0], at.data(), slice);

  const auto last = static_cast<float>(sampler.level_count - 1);
  const float wanted =
      std::min(std::max(level + sampler.bias, sampler.least_level), sampler.most_level);
  const float near = std::min(std::max(wanted, 0.0F), last);
  const auto read = [&](int number) {
    return sampler.read(sampler, sampler.levels[number], at.data(), slice);
  };
  if (!sampler.between_levels) return read(static_cast<int>(std::lround(near)));
  const auto fixed = static_cast<int>(std::lrint(near * 256));
  torchada_texel texel = read(fixed >> 8);
  const float weight = static_cast<float>(fixed & 255) / 256;
  if (weight == 0) return texel;
  const torchada_texel smaller = read((fixed >> 8) + 1);
  for (int i = 0; i < 4; ++i) {
    texel.channels[i] = bits_of((1 - weight) * float_of(texel.channels[i]) +
                                weight * float_of(smaller.channels[i]));
  }
  return texel;
}

torchada_texel fetch(const torchada_texture* texture, int index) {
  const auto& sampler = *static_cast<const Sampler*>(texture);
  const TexelBox& box = sampler.levels[0];
  if (static_cast<unsigned int>(index) >= static_cast<unsigned int>(box.size[0])) return {};
  return sampler.load(box.start + index * sampler.element);
}

// In this order: below left, below right, above right, above left, where y points down.
torchada_texel gather(const torchada_texture* texture, float x, float y, int channel) {
  const auto& sampler = *static_cast<const Sampler*>(texture);
  const TexelBox& box = sampler.levels[0];
  const Between column = Between::of(sampler, 0, x, box.size[0]);
  const Between row = Between::of(sampler, 1, y, box.size[1]);
  const auto at = [&](int place_x, int place_y) {
    const torchada_texel texel =
        place_x < 0 || place_y < 0
            ? sampler.border
            : sampler.load(box.start + place_y * box.pitch + place_x * sampler.element);
    return texel.channels[channel & 3];
  };
  return {{at(column.first, row.second), at(column.second, row.second),
           at(column.second, row.first), at(column.first, row.first)}};
}

// The larger of the two steps, in elements, as a power of 2: without anisotropy.
float level_of(const torchada_texture* texture, const float* dx, const float* dy) {
  const auto& sampler = *static_cast<const Sampler*>(texture);
  const auto length = [&](const float* step) {
    float sum = 0;
    for (int i = 0; i < sampler.dimensions; ++i) {
      const float size = sampler.normalized ? static_cast<float>(sampler.levels[0].size[i]) : 1;
      sum += step[i] * size * step[i] * size;
    }
    return std::sqrt(sum);
  };
  return std::log2(std::max(length(dx), length(dy)));
}

template <typename Kind, int kChannels>
bool choose_reads(Sampler* sampler, bool filters) {
  sampler->load = load<Kind, kChannels>;
  sampler->read = nearest<Kind, kChannels>;
  if (!filters) return true;
  if constexpr (Kind::kIsFloat) {
    constexpr Sampler::Read kReads[] = {filtered<Kind, kChannels, 1>, filtered<Kind, kChannels, 2>,
                                        filtered<Kind, kChannels, 3>};
    sampler->read = kReads[sampler->dimensions - 1];
  }
  return Kind::kIsFloat;
}

template <typename Kind>
bool choose_kind(Sampler* sampler, bool filters) {
  switch (sampler->element / sizeof(typename Kind::Type)) {
    case 1:
      return choose_reads<Kind, 1>(sampler, filters);
    case 2:
      return choose_reads<Kind, 2>(sampler, filters);
    default:
      return choose_reads<Kind, 4>(sampler, filters);
  }
}

template <typename Stored>
bool choose_integer(Sampler* sampler, bool normalized, bool filters) {
  // Of 32 bits none is.
  if (normalized && sizeof(Stored) < 4) return choose_kind<AsNormalized<Stored>>(sampler, filters);
  return choose_kind<AsInteger<Stored>>(sampler, filters);
}

}  // namespace

bool Sampler::choose(const musaChannelFormatDesc& format, const musaTextureDesc& how,
                     bool filters) {
  sample = musa::sample;
  fetch = musa::fetch;
  gather = musa::gather;
  level_of = musa::level_of;
  const bool is_signed = format.f == musaChannelFormatKindSigned;
  const bool normalizes = how.readMode == musaReadModeNormalizedFloat;
  if (format.f == musaChannelFormatKindFloat) {
    return format.x == 16 ? choose_kind<AsFloat<host_narrow::Float16>>(this, filters)
                          : choose_kind<AsFloat<float>>(this, filters);
  }
  if (format.x == 8) {
    if (!is_signed && normalizes && how.sRGB != 0) return choose_kind<AsColor>(this, filters);
    return is_signed ? choose_integer<std::int8_t>(this, normalizes, filters)
                     : choose_integer<std::uint8_t>(this, normalizes, filters);
  }
  if (format.x == 16) {
    return is_signed ? choose_integer<std::int16_t>(this, normalizes, filters)
                     : choose_integer<std::uint16_t>(this, normalizes, filters);
  }
  return is_signed ? choose_integer<std::int32_t>(this, normalizes, filters)
                   : choose_integer<std::uint32_t>(this, normalizes, filters);
}

}  // namespace musa
