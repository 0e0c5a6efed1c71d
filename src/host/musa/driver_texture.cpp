// Texture and surface objects. What describes them becomes the runtime's, and back.
#include <algorithm>
#include <cstring>

#include "src/host/musa/driver_format.h"

namespace musa {
namespace {

// Flags of MUSA_TEXTURE_DESC. No public source shows them: assumed to be those of CUDA's names.
constexpr unsigned int kReadAsInteger = 0x01;
constexpr unsigned int kNormalizedCoordinates = 0x02;
constexpr unsigned int kSrgb = 0x10;
constexpr unsigned int kDisableTrilinearOptimization = 0x20;
constexpr unsigned int kSeamlessCubemap = 0x40;
constexpr unsigned int kAllFlags = kReadAsInteger | kNormalizedCoordinates | kSrgb |
                                   kDisableTrilinearOptimization | kSeamlessCubemap;

musaError_t runtime_resource(const MUSA_RESOURCE_DESC* given, musaResourceDesc* resource) {
  if (given == nullptr || given->flags != 0) return musaErrorInvalidValue;
  const auto& from = given->res;
  auto& to = resource->res;
  resource->resType = static_cast<musaResourceType>(given->resType);
  switch (given->resType) {
    case MU_RESOURCE_TYPE_ARRAY:
      to.array.array = reinterpret_cast<musaArray_t>(from.array.hArray);
      return musaSuccess;
    case MU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.mipmap.mipmap = reinterpret_cast<musaMipmappedArray_t>(from.mipmap.hMipmappedArray);
      return musaSuccess;
    case MU_RESOURCE_TYPE_LINEAR:
      to.linear.devPtr = pointer(from.linear.devPtr);
      to.linear.sizeInBytes = from.linear.sizeInBytes;
      return runtime_format(from.linear.format, from.linear.numChannels, &to.linear.desc);
    case MU_RESOURCE_TYPE_PITCH2D:
      to.pitch2D.devPtr = pointer(from.pitch2D.devPtr);
      to.pitch2D.width = from.pitch2D.width;
      to.pitch2D.height = from.pitch2D.height;
      to.pitch2D.pitchInBytes = from.pitch2D.pitchInBytes;
      return runtime_format(from.pitch2D.format, from.pitch2D.numChannels, &to.pitch2D.desc);
  }
  return musaErrorInvalidValue;
}

MUSA_RESOURCE_DESC driver_resource(const musaResourceDesc& given) {
  MUSA_RESOURCE_DESC resource{};
  const auto& from = given.res;
  auto& to = resource.res;
  resource.resType = static_cast<MUresourcetype>(given.resType);
  switch (given.resType) {
    case musaResourceTypeArray:
      to.array.hArray = reinterpret_cast<MUarray>(from.array.array);
      break;
    case musaResourceTypeMipmappedArray:
      to.mipmap.hMipmappedArray = reinterpret_cast<MUmipmappedArray>(from.mipmap.mipmap);
      break;
    case musaResourceTypeLinear:
      to.linear = {reinterpret_cast<MUdeviceptr>(from.linear.devPtr),
                   driver_format(from.linear.desc), count_channels(from.linear.desc),
                   from.linear.sizeInBytes};
      break;
    case musaResourceTypePitch2D:
      to.pitch2D = {reinterpret_cast<MUdeviceptr>(from.pitch2D.devPtr),
                    driver_format(from.pitch2D.desc),
                    count_channels(from.pitch2D.desc),
                    from.pitch2D.width,
                    from.pitch2D.height,
                    from.pitch2D.pitchInBytes};
      break;
  }
  return resource;
}

musaError_t runtime_texture(const MUSA_TEXTURE_DESC* given, musaTextureDesc* texture) {
  if (given == nullptr || (given->flags & ~kAllFlags) != 0) return musaErrorInvalidValue;
  const auto has = [&](unsigned int flag) { return (given->flags & flag) != 0; };
  for (int i = 0; i < 3; ++i) {
    texture->addressMode[i] = static_cast<musaTextureAddressMode>(given->addressMode[i]);
  }
  texture->filterMode = static_cast<musaTextureFilterMode>(given->filterMode);
  // Elements of 32 bits and floats are read as they are in either mode.
  texture->readMode = has(kReadAsInteger) ? musaReadModeElementType : musaReadModeNormalizedFloat;
  texture->sRGB = has(kSrgb);
  std::copy_n(given->borderColor, 4, texture->borderColor);
  texture->normalizedCoords = has(kNormalizedCoordinates);
  texture->maxAnisotropy = given->maxAnisotropy;
  texture->mipmapFilterMode = static_cast<musaTextureFilterMode>(given->mipmapFilterMode);
  texture->mipmapLevelBias = given->mipmapLevelBias;
  texture->minMipmapLevelClamp = given->minMipmapLevelClamp;
  texture->maxMipmapLevelClamp = given->maxMipmapLevelClamp;
  texture->disableTrilinearOptimization = has(kDisableTrilinearOptimization);
  texture->seamlessCubemap = has(kSeamlessCubemap);
  return musaSuccess;
}

MUSA_TEXTURE_DESC driver_texture(const musaTextureDesc& given) {
  MUSA_TEXTURE_DESC texture{};
  for (int i = 0; i < 3; ++i) {
    texture.addressMode[i] = static_cast<MUaddress_mode>(given.addressMode[i]);
  }
  texture.filterMode = static_cast<MUfilter_mode>(given.filterMode);
  if (given.readMode == musaReadModeElementType) texture.flags |= kReadAsInteger;
  if (given.normalizedCoords != 0) texture.flags |= kNormalizedCoordinates;
  if (given.sRGB != 0) texture.flags |= kSrgb;
  if (given.disableTrilinearOptimization != 0) texture.flags |= kDisableTrilinearOptimization;
  if (given.seamlessCubemap != 0) texture.flags |= kSeamlessCubemap;
  texture.maxAnisotropy = given.maxAnisotropy;
  texture.mipmapFilterMode = static_cast<MUfilter_mode>(given.mipmapFilterMode);
  texture.mipmapLevelBias = given.mipmapLevelBias;
  texture.minMipmapLevelClamp = given.minMipmapLevelClamp;
  texture.maxMipmapLevelClamp = given.maxMipmapLevelClamp;
  std::copy_n(given.borderColor, 4, texture.borderColor);
  return texture;
}

// The driver's views have more members, behind those of the runtime's.
constexpr std::size_t kView = sizeof(musaResourceViewDesc);
static_assert(kView == offsetof(MUSA_RESOURCE_VIEW_DESC, reserved));

// `tell` gets the runtime's description, which `convert` makes the driver's.
template <typename Given, typename Told, typename Object, typename Tell, typename Convert>
MUresult tell_description(Told* told, Object object, Tell&& tell, Convert&& convert) {
  return context_call([&](Runtime&) {
    if (told == nullptr) return musaErrorInvalidValue;
    Given given{};
    MUSA_RETURN_IF_ERROR(tell(&given, object));
    *told = convert(given);
    return musaSuccess;
  });
}

}  // namespace
}  // namespace musa

using musa::context_call;
using musa::Runtime;

MUresult muTexObjectCreate(MUtexObject* pTexObject, const MUSA_RESOURCE_DESC* pResDesc,
                           const MUSA_TEXTURE_DESC* pTexDesc,
                           const MUSA_RESOURCE_VIEW_DESC* pResViewDesc) {
  return context_call([&](Runtime&) {
    musaResourceDesc resource{};
    musaTextureDesc texture{};
    musaResourceViewDesc view{};
    MUSA_RETURN_IF_ERROR(musa::runtime_resource(pResDesc, &resource));
    MUSA_RETURN_IF_ERROR(musa::runtime_texture(pTexDesc, &texture));
    if (pResViewDesc != nullptr) std::memcpy(&view, pResViewDesc, musa::kView);
    return musa::create_texture_object(pTexObject, &resource, &texture,
                                       pResViewDesc == nullptr ? nullptr : &view);
  });
}

IN_CONTEXT(1, muTexObjectDestroy, destroy_texture_object)

MUresult muTexObjectGetResourceDesc(MUSA_RESOURCE_DESC* pResDesc, MUtexObject texObject) {
  return musa::tell_description<musaResourceDesc>(
      pResDesc, texObject, musa::get_texture_object_resource_desc, musa::driver_resource);
}

MUresult muTexObjectGetTextureDesc(MUSA_TEXTURE_DESC* pTexDesc, MUtexObject texObject) {
  return musa::tell_description<musaTextureDesc>(
      pTexDesc, texObject, musa::get_texture_object_texture_desc, musa::driver_texture);
}

MUresult muTexObjectGetResourceViewDesc(MUSA_RESOURCE_VIEW_DESC* pResViewDesc,
                                        MUtexObject texObject) {
  return musa::tell_description<musaResourceViewDesc>(pResViewDesc, texObject,
                                                      musa::get_texture_object_resource_view_desc,
                                                      [](const musaResourceViewDesc& given) {
                                                        MUSA_RESOURCE_VIEW_DESC view{};
                                                        std::memcpy(&view, &given, musa::kView);
                                                        return view;
                                                      });
}

MUresult muSurfObjectCreate(MUsurfObject* pSurfObject, const MUSA_RESOURCE_DESC* pResDesc) {
  return context_call([&](Runtime&) {
    musaResourceDesc resource{};
    MUSA_RETURN_IF_ERROR(musa::runtime_resource(pResDesc, &resource));
    return musa::create_surface_object(pSurfObject, &resource);
  });
}

IN_CONTEXT(1, muSurfObjectDestroy, destroy_surface_object)

MUresult muSurfObjectGetResourceDesc(MUSA_RESOURCE_DESC* pResDesc, MUsurfObject surfObject) {
  return musa::tell_description<musaResourceDesc>(
      pResDesc, surfObject, musa::get_surface_object_resource_desc, musa::driver_resource);
}
