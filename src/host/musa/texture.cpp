// Texture objects. Only kernels read textures and no kernel runs here, so an object is what it was
// made of, checked as CUDA documents.
#include <cstring>
#include <optional>

#include "src/host/musa/array.h"
#include "src/host/musa/device_properties.h"
#include "src/host/musa/handles.h"
#include "src/host/musa/operations.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

struct Texture {
  int on_device = 0;
  musaResourceDesc resource{};
  musaTextureDesc texture{};
  std::optional<musaResourceViewDesc> view;

  int device() const { return on_device; }
};

using TextureHandles = host::HandleTable<host::HandleKind::kTexture, musaTextureObject_t, Texture>;

TextureHandles& texture_handles() { return host::never_destroyed<TextureHandles>(); }

std::shared_ptr<Texture> resolve_texture(musaTextureObject_t object) {
  return texture_handles().find(object);
}

// Device memory from `start`, aligned as the device wants it.
bool is_usable(Runtime& runtime, const void* start, std::size_t bytes, std::size_t alignment) {
  return bytes != 0 && reinterpret_cast<std::uintptr_t>(start) % alignment == 0 &&
         runtime.allocations.examine(start, bytes) == AllocationTable::Range::kUsable;
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
      return is_mipmapped_array(resource.res.mipmap.mipmap) && texture.normalizedCoords != 0;
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
  texture_handles().take([&](const Texture& each) { return each.device() == device; });
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
    auto made = std::make_shared<Texture>();
    made->on_device = runtime.current().ordinal;
    made->resource = *pResDesc;
    made->texture = *pTexDesc;
    if (pResViewDesc != nullptr) made->view = *pResViewDesc;
    *pTexObject = texture_handles().insert(std::move(made));
    return musaSuccess;
  });
}

musaError_t destroy_texture_object(musaTextureObject_t texObject) {
  return api([&](Runtime&) {
    const auto removed = texture_handles().remove(texObject);
    return removed != nullptr ? musaSuccess : musaErrorInvalidValue;
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
