// Texture objects, which are checked as CUDA documents. What kernels read lies at their handles.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <optional>

#include "src/host/kernels/textures/object_pages.h"
#include "src/host/kernels/textures/sampler.h"
#include "src/host/musa/array.h"
#include "src/host/musa/device_properties.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

struct Texture {
  musaTextureObject_t handle = 0;
  int on_device = 0;
  musaResourceDesc resource{};
  musaTextureDesc texture{};
  std::optional<musaResourceViewDesc> view;

  int device() const { return on_device; }
};

using TextureHandles =
    host::HandleTable<host::HandleKind::kTexture, musaTextureObject_t, Texture, ObjectPages>;
static_assert(sizeof(Sampler) <= ObjectPages::kPage);

TextureHandles& texture_handles() { return host::never_destroyed<TextureHandles>(); }

std::shared_ptr<Texture> resolve_texture(musaTextureObject_t object) {
  return texture_handles().find(object);
}

// Device memory from `start`, aligned as the device wants it.
bool is_usable(Runtime& runtime, const void* start, std::size_t bytes, std::size_t alignment) {
  return bytes != 0 && reinterpret_cast<std::uintptr_t>(start) % alignment == 0 &&
         runtime.allocations.examine(start, bytes, runtime.current_ordinal()) ==
             AllocationTable::Range::kUsable;
}

bool is_resource(Runtime& runtime, const musaResourceDesc& resource,
                 const musaTextureDesc& texture) {
  const musaDeviceProp& prop = runtime.current().properties;
  const auto within = [](std::size_t count, int limit) {
    return count <= static_cast<std::size_t>(limit);
  };
  switch (resource.resType) {
    case musaResourceTypeArray:
      return resolve_array(resource.res.array.array) != nullptr;
    case musaResourceTypeMipmappedArray:
      return resolve_mipmapped_array(resource.res.mipmap.mipmap) != nullptr &&
             texture.normalizedCoords != 0;
    case musaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      const std::size_t element = element_size_of(linear.desc);
      return element != 0 && within(linear.sizeInBytes / element, prop.maxTexture1DLinear) &&
             is_usable(runtime, linear.devPtr, linear.sizeInBytes, prop.textureAlignment);
    }
    case musaResourceTypePitch2D: {
      const auto& plane = resource.res.pitch2D;
      const std::size_t element = element_size_of(plane.desc);
      // The limits keep the product small.
      return element != 0 && plane.width != 0 && plane.height != 0 &&
             within(plane.width, prop.maxTexture2DLinear[0]) &&
             within(plane.height, prop.maxTexture2DLinear[1]) &&
             within(plane.pitchInBytes, prop.maxTexture2DLinear[2]) &&
             plane.pitchInBytes % prop.texturePitchAlignment == 0 &&
             plane.width * element <= plane.pitchInBytes &&
             is_usable(runtime, plane.devPtr,
                       (plane.height - 1) * plane.pitchInBytes + plane.width * element,
                       prop.textureAlignment);
    }
  }
  return false;
}

bool is_sampling(const musaTextureDesc& texture) {
  const auto is_filter = [](musaTextureFilterMode mode) {
    return mode == musaFilterModePoint || mode == musaFilterModeLinear;
  };
  for (const musaTextureAddressMode mode : texture.addressMode) {
    if (mode < musaAddressModeWrap || mode > musaAddressModeBorder) return false;
  }
  return is_filter(texture.filterMode) && is_filter(texture.mipmapFilterMode) &&
         (texture.readMode == musaReadModeElementType ||
          texture.readMode == musaReadModeNormalizedFloat);
}

// Only arrays can be viewed in another way.
bool is_view(const musaResourceDesc& resource, const musaResourceViewDesc& view) {
  constexpr int kLastFormat = 34;
  const int format = view.format;
  return (resource.resType == musaResourceTypeArray ||
          resource.resType == musaResourceTypeMipmappedArray) &&
         format >= musaResViewFormatNone && format <= kLastFormat;
}

// The formats in which the elements of an array can be viewed: three kinds of channels each for 1,
// 2 and 4 of them. Behind them are those of compressed blocks.
bool read_view_format(int format, musaChannelFormatDesc* elements) {
  struct Kind {
    int bits;
    musaChannelFormatKind kind;
  };
  constexpr std::array<Kind, 8> kKinds{{{8, musaChannelFormatKindUnsigned},
                                        {8, musaChannelFormatKindSigned},
                                        {16, musaChannelFormatKindUnsigned},
                                        {16, musaChannelFormatKindSigned},
                                        {32, musaChannelFormatKindUnsigned},
                                        {32, musaChannelFormatKindSigned},
                                        {16, musaChannelFormatKindFloat},
                                        {32, musaChannelFormatKindFloat}}};
  const auto group = static_cast<std::size_t>(format - 1) / 3;
  if (group >= kKinds.size()) return false;
  const int channels = 1 << (format - 1) % 3;
  const int bits = kKinds[group].bits;
  *elements = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
               kKinds[group].kind};
  return true;
}

TexelBox box_of(const Array& array) {
  TexelBox box;
  box.start = reinterpret_cast<const unsigned char*>(array.base);
  box.pitch = array.row_bytes();
  box.slice = box.pitch * array.rows();
  box.size = {static_cast<int>(array.extent.width), static_cast<int>(array.rows()),
              static_cast<int>(array.slices())};
  return box;
}

void take_shape(const Array& array, Sampler* sampler) {
  const bool layered = (array.flags & musaArrayLayered) != 0;
  sampler->is_cube = (array.flags & musaArrayCubemap) != 0;
  sampler->dimensions = array.extent.height == 0                                 ? 1
                        : layered || sampler->is_cube || array.extent.depth == 0 ? 2
                                                                                 : 3;
  if (layered) sampler->layers = static_cast<int>(array.slices()) / (sampler->is_cube ? 6 : 1);
}

// The levels and layers that a view shows.
musaError_t take_levels(const std::vector<std::shared_ptr<Array>>& levels, bool has_levels,
                        const musaResourceViewDesc* view, Sampler* sampler) {
  take_shape(*levels.front(), sampler);
  std::size_t first = 0;
  std::size_t last = levels.size() - 1;
  if (has_levels && view != nullptr) {
    first = view->firstMipmapLevel;
    last = view->lastMipmapLevel;
  }
  if (first > last || last >= levels.size()) return musaErrorInvalidValue;
  std::size_t first_layer = 0;
  if (view != nullptr && sampler->layers != 0 && !sampler->is_cube) {
    first_layer = view->firstLayer;
    if (first_layer > view->lastLayer ||
        view->lastLayer >= static_cast<unsigned int>(sampler->layers)) {
      return musaErrorInvalidValue;
    }
    sampler->layers = static_cast<int>(view->lastLayer - first_layer) + 1;
  }
  sampler->level_count = 0;
  for (; first <= last && sampler->level_count < Sampler::kMostLevels; ++first) {
    TexelBox& box = sampler->levels[sampler->level_count++];
    box = box_of(*levels[first]);
    box.start += first_layer * box.slice;
  }
  return musaSuccess;
}

// Where the texels are, and in which format.
musaError_t take_memory(const musaResourceDesc& resource, const musaResourceViewDesc* view,
                        Sampler* sampler, musaChannelFormatDesc* format) {
  TexelBox& box = sampler->levels[0];
  switch (resource.resType) {
    case musaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      *format = linear.desc;
      box.start = static_cast<const unsigned char*>(linear.devPtr);
      box.size[0] = static_cast<int>(linear.sizeInBytes / element_size_of(*format));
      return musaSuccess;
    }
    case musaResourceTypePitch2D: {
      const auto& plane = resource.res.pitch2D;
      *format = plane.desc;
      box.start = static_cast<const unsigned char*>(plane.devPtr);
      box.pitch = plane.pitchInBytes;
      box.size = {static_cast<int>(plane.width), static_cast<int>(plane.height), 1};
      sampler->dimensions = 2;
      return musaSuccess;
    }
    default:
      break;
  }
  std::vector<std::shared_ptr<Array>> levels;
  const bool has_levels = resource.resType == musaResourceTypeMipmappedArray;
  if (has_levels) {
    const auto found = resolve_mipmapped_array(resource.res.mipmap.mipmap);
    if (found != nullptr) levels = found->levels;
  } else if (auto found = resolve_array(resource.res.array.array); found != nullptr) {
    levels.push_back(std::move(found));
  }
  if (levels.empty()) return musaErrorInvalidValue;  // Another thread has destroyed it.
  *format = levels.front()->format;
  if (view != nullptr && view->format != musaResViewFormatNone) {
    if (!read_view_format(view->format, format)) return musaErrorNotSupported;
    if (element_size_of(*format) != levels.front()->element_size) return musaErrorInvalidValue;
  }
  return take_levels(levels, has_levels, view, sampler);
}

musaError_t make_sampler(const musaResourceDesc& resource, const musaTextureDesc& texture,
                         const musaResourceViewDesc* view, Sampler* sampler) {
  musaChannelFormatDesc format{};
  MUSA_RETURN_IF_ERROR(take_memory(resource, view, sampler, &format));
  if (sampler->is_cube && texture.seamlessCubemap != 0) return musaErrorNotSupported;
  sampler->element = element_size_of(format);
  sampler->normalized = texture.normalizedCoords != 0 || sampler->is_cube;
  std::copy_n(texture.addressMode, 3, sampler->addressing.begin());
  for (musaTextureAddressMode& mode : sampler->addressing) {
    const bool repeats = mode == musaAddressModeWrap || mode == musaAddressModeMirror;
    if (repeats && (!sampler->normalized || sampler->is_cube)) mode = musaAddressModeClamp;
  }
  std::memcpy(sampler->border.channels, texture.borderColor, sizeof texture.borderColor);
  sampler->between_levels = texture.mipmapFilterMode == musaFilterModeLinear;
  sampler->bias = texture.mipmapLevelBias;
  sampler->least_level = texture.minMipmapLevelClamp;
  sampler->most_level = texture.maxMipmapLevelClamp;
  const bool filters =
      texture.filterMode == musaFilterModeLinear && resource.resType != musaResourceTypeLinear;
  return sampler->choose(format, texture, filters) ? musaSuccess : musaErrorInvalidFilterSetting;
}

template <typename Description, typename Read>
musaError_t read_texture(musaTextureObject_t object, Description* description, Read&& read) {
  return api([&](Runtime&) {
    const auto found = resolve_texture(object);
    if (description == nullptr || found == nullptr) return musaErrorInvalidValue;
    return read(*found);
  });
}

}  // namespace

void forget_textures(int device) {
  const auto ended =
      texture_handles().take([&](const Texture& each) { return each.device() == device; });
  for (const auto& each : ended) ObjectPages::give_back(each->handle);
}

musaError_t create_texture_object(musaTextureObject_t* pTexObject,
                                  const struct musaResourceDesc* pResDesc,
                                  const struct musaTextureDesc* pTexDesc,
                                  const struct musaResourceViewDesc* pResViewDesc) {
  return api([&](Runtime& runtime) {
    if (pTexObject == nullptr || pResDesc == nullptr || pTexDesc == nullptr ||
        !is_resource(runtime, *pResDesc, *pTexDesc) || !is_sampling(*pTexDesc) ||
        (pResViewDesc != nullptr && !is_view(*pResDesc, *pResViewDesc))) {
      return musaErrorInvalidValue;
    }
    Sampler sampler{};
    MUSA_RETURN_IF_ERROR(make_sampler(*pResDesc, *pTexDesc, pResViewDesc, &sampler));
    auto made = std::make_shared<Texture>();
    made->on_device = runtime.current().ordinal;
    made->resource = *pResDesc;
    made->texture = *pTexDesc;
    if (pResViewDesc != nullptr) made->view = *pResViewDesc;
    sampler.handle = texture_handles().insert(made);
    *pTexObject = (new (reinterpret_cast<void*>(sampler.handle)) Sampler(sampler))->handle;
    return musaSuccess;
  });
}

musaError_t destroy_texture_object(musaTextureObject_t texObject) {
  return api([&](Runtime& runtime) {
    const auto found = resolve_texture(texObject);
    if (found == nullptr) return musaErrorInvalidValue;
    // Kernels may read it.
    Device& device = *runtime.device(found->device());
    const musaError_t status = wait_all(device, device.pending_everywhere());
    if (status == musaErrorNotPermitted) return status;
    if (texture_handles().remove(texObject) == nullptr) return musaErrorInvalidValue;
    ObjectPages::give_back(texObject);
    return musaSuccess;
  });
}

musaError_t get_texture_object_resource_desc(struct musaResourceDesc* pResDesc,
                                             musaTextureObject_t texObject) {
  return read_texture(texObject, pResDesc, [&](const Texture& texture) {
    *pResDesc = texture.resource;
    return musaSuccess;
  });
}

musaError_t get_texture_object_texture_desc(struct musaTextureDesc* pTexDesc,
                                            musaTextureObject_t texObject) {
  return read_texture(texObject, pTexDesc, [&](const Texture& texture) {
    *pTexDesc = texture.texture;
    return musaSuccess;
  });
}

musaError_t get_texture_object_resource_view_desc(struct musaResourceViewDesc* pResViewDesc,
                                                  musaTextureObject_t texObject) {
  return read_texture(texObject, pResViewDesc, [&](const Texture& texture) {
    if (!texture.view) return musaErrorInvalidValue;
    *pResViewDesc = *texture.view;
    return musaSuccess;
  });
}

}  // namespace musa
