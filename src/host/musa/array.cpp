#include "src/host/musa/array.h"

#include <algorithm>

#include "src/host/musa/device_properties.h"
#include "src/host/musa/memory.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"
#include "src/host/shared/forward.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

constexpr unsigned int kPlaneFlags =
    musaArraySurfaceLoadStore | musaArrayTextureGather | musaArraySparse | musaArrayDeferredMapping;
constexpr unsigned int kKnownArrayFlags =
    kPlaneFlags | musaArrayLayered | musaArrayCubemap | musaArrayColorAttachment;
constexpr std::size_t kCubeFaces = 6;

using ArrayHandles = host::HandleTable<host::HandleKind::kArray, musaArray_t, Array>;
using MipmapHandles =
    host::HandleTable<host::HandleKind::kMipmappedArray, musaMipmappedArray_t, MipmappedArray>;

ArrayHandles& array_handles() { return host::never_destroyed<ArrayHandles>(); }

MipmapHandles& mipmap_handles() { return host::never_destroyed<MipmapHandles>(); }

// At most these numbers of elements, rows, and slices or layers.
struct Extents {
  int width, height, depth;
};

// The limits of an array of this shape: the table in CUDA's documentation of cudaMalloc3DArray and
// cudaMallocMipmappedArray. Those of surfaces are no smaller here.
Extents limits_of(const musaDeviceProp& prop, const musaExtent& extent, unsigned int flags,
                  bool has_levels) {
  const bool layered = (flags & musaArrayLayered) != 0;
  if ((flags & musaArrayCubemap) != 0) {
    const int* const several = prop.maxTextureCubemapLayered;
    if (layered) return {several[0], several[0], several[1]};
    return {prop.maxTextureCubemap, prop.maxTextureCubemap, static_cast<int>(kCubeFaces)};
  }
  const int* const plane = (flags & musaArrayTextureGather) != 0 ? prop.maxTexture2DGather
                           : has_levels                          ? prop.maxTexture2DMipmap
                                                                 : prop.maxTexture2D;
  if (extent.height == 0) {
    if (layered) return {prop.maxTexture1DLayered[0], 0, prop.maxTexture1DLayered[1]};
    return {has_levels ? prop.maxTexture1DMipmap : prop.maxTexture1D, 0, 0};
  }
  if (extent.depth == 0) return {plane[0], plane[1], 0};
  const int* const box = layered ? prop.maxTexture2DLayered
                         : extent.depth > static_cast<std::size_t>(prop.maxTexture3D[2])
                             ? prop.maxTexture3DAlt
                             : prop.maxTexture3D;
  return {box[0], box[1], box[2]};
}

musaError_t check_extent(const musaExtent& extent, unsigned int flags, bool has_levels) {
  if (extent.width == 0) return musaErrorInvalidValue;
  const bool layered = (flags & musaArrayLayered) != 0;
  const bool cubes = (flags & musaArrayCubemap) != 0;
  // Only planes can be gathered from.
  if ((flags & musaArrayTextureGather) != 0 &&
      (layered || cubes || extent.height == 0 || extent.depth != 0)) {
    return musaErrorInvalidValue;
  }
  if (cubes) {
    const bool whole_cubes =
        layered ? extent.depth != 0 && extent.depth % kCubeFaces == 0 : extent.depth == kCubeFaces;
    if (extent.width != extent.height || !whole_cubes) return musaErrorInvalidValue;
  }
  // The depth is the number of layers. A box needs all three dimensions.
  if (layered ? extent.depth == 0 : extent.depth != 0 && extent.height == 0) {
    return musaErrorInvalidValue;
  }
  const Extents most = limits_of(Runtime::get().current().properties, extent, flags, has_levels);
  const auto fits = [](std::size_t size, int limit) {
    return size <= static_cast<std::size_t>(limit);
  };
  return fits(extent.width, most.width) && fits(extent.height, most.height) &&
                 fits(extent.depth, most.depth)
             ? musaSuccess
             : musaErrorInvalidValue;
}

musaError_t check_request(const musaChannelFormatDesc* format, const musaExtent& extent,
                          unsigned int flags, bool has_levels) {
  if (format == nullptr || (flags & ~kKnownArrayFlags) != 0 || element_size_of(*format) == 0) {
    return musaErrorInvalidValue;
  }
  MUSA_RETURN_IF_ERROR(check_extent(extent, flags, has_levels));
  // The device's attributes announce that these are not supported.
  constexpr unsigned int kNotProvided = musaArraySparse | musaArrayDeferredMapping;
  return (flags & kNotProvided) == 0 ? musaSuccess : musaErrorNotSupported;
}

musaError_t make_array(Runtime& runtime, const musaChannelFormatDesc& format,
                       const musaExtent& extent, unsigned int flags, std::shared_ptr<Array>* made) {
  auto array = std::make_shared<Array>();
  array->on_device = runtime.current().ordinal;
  array->format = format;
  array->extent = extent;
  array->flags = flags;
  array->element_size = element_size_of(format);
  std::size_t size = 0;
  if (__builtin_mul_overflow(extent.width, array->element_size, &size) ||
      __builtin_mul_overflow(size, array->rows(), &size) ||
      __builtin_mul_overflow(size, array->slices(), &size)) {
    return musaErrorMemoryAllocation;
  }
  void* memory = nullptr;
  MUSA_RETURN_IF_ERROR(allocate(runtime, MemoryKind::kArray, size, 0, &memory));
  array->base = reinterpret_cast<std::uintptr_t>(memory);
  *made = std::move(array);
  return musaSuccess;
}

bool is_array_memory(MemoryKind kind) { return kind == MemoryKind::kArray; }

musaError_t free_memory_of(Runtime& runtime, const Array& array) {
  return free_allocation(runtime, reinterpret_cast<void*>(array.base), is_array_memory);
}

musaError_t create_array(musaArray_t* handle, const musaChannelFormatDesc* format,
                         const musaExtent& extent, unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (handle == nullptr) return musaErrorInvalidValue;
    MUSA_RETURN_IF_ERROR(check_request(format, extent, flags, false));
    std::shared_ptr<Array> array;
    MUSA_RETURN_IF_ERROR(make_array(runtime, *format, extent, flags, &array));
    *handle = array_handles().insert(array);
    return musaSuccess;
  });
}

unsigned int most_levels(const musaExtent& extent, unsigned int flags) {
  std::size_t largest = std::max(extent.width, extent.height);
  if ((flags & (musaArrayLayered | musaArrayCubemap)) == 0) {
    largest = std::max(largest, extent.depth);
  }
  unsigned int levels = 1;
  for (; largest > 1; largest /= 2) ++levels;
  return levels;
}

std::size_t halved(std::size_t size) { return size > 1 ? size / 2 : size; }

musaExtent next_level(musaExtent extent, unsigned int flags) {
  extent.width = halved(extent.width);
  extent.height = halved(extent.height);
  // The number of layers or faces is the same at every level.
  if ((flags & (musaArrayLayered | musaArrayCubemap)) == 0) extent.depth = halved(extent.depth);
  return extent;
}

musaError_t make_levels(Runtime& runtime, MipmappedArray* mipmap,
                        const musaChannelFormatDesc& format, musaExtent extent, unsigned int levels,
                        unsigned int flags) {
  for (unsigned int level = 0; level < levels; ++level) {
    std::shared_ptr<Array> array;
    MUSA_RETURN_IF_ERROR(make_array(runtime, format, extent, flags, &array));
    array->is_level = true;
    mipmap->levels.push_back(std::move(array));
    extent = next_level(extent, flags);
  }
  return musaSuccess;
}

// Only arrays without memory have requirements, and this device has no such arrays.
template <typename Table>
musaError_t no_requirements(Table& table, const void* handle, const void* result, int device) {
  return api([&](Runtime& runtime) {
    if (result == nullptr) return musaErrorInvalidValue;
    if (table.find(handle) == nullptr) return musaErrorInvalidResourceHandle;
    return runtime.device(device) == nullptr ? musaErrorInvalidDevice : musaErrorInvalidValue;
  });
}

// Only sparse arrays have sparse properties, and this device has no sparse arrays.
template <typename Table>
musaError_t not_sparse(Table& table, const void* handle, const void* result) {
  return api([&](Runtime&) {
    if (result == nullptr) return musaErrorInvalidValue;
    return table.find(handle) == nullptr ? musaErrorInvalidResourceHandle : musaErrorInvalidValue;
  });
}

}  // namespace

std::shared_ptr<Array> resolve_array(const void* handle) { return array_handles().find(handle); }

std::shared_ptr<MipmappedArray> resolve_mipmapped_array(const void* handle) {
  return mipmap_handles().find(handle);
}

// The first one, two or four channels, all of the same width. 0 for any other format.
std::size_t element_size_of(const musaChannelFormatDesc& format) {
  const int bits = format.x;
  if (bits != 8 && bits != 16 && bits != 32) return 0;
  if (format.f < musaChannelFormatKindSigned || format.f > musaChannelFormatKindFloat) return 0;
  if (format.f == musaChannelFormatKindFloat && bits == 8) return 0;
  int channels = 1;
  for (const int other : {format.y, format.z, format.w}) {
    if (other != 0 && other != bits) return 0;
    if (other != 0) ++channels;
  }
  const bool from_the_first = (format.y != 0 || channels == 1) &&
                              (format.z != 0) == (format.w != 0) &&
                              (format.z == 0 || format.y != 0);
  return from_the_first ? static_cast<std::size_t>(bits / 8 * channels) : 0;
}

musaError_t element_of_copy(const Array* to, const Array* from, std::size_t* size) {
  if (to != nullptr && from != nullptr && to->element_size != from->element_size) {
    return musaErrorInvalidValue;
  }
  const Array* array = to != nullptr ? to : from;
  *size = array != nullptr ? array->element_size : 1;
  return musaSuccess;
}

musaError_t span_of_array(const Array& array, std::size_t x, std::size_t y, std::size_t z,
                          const Shape& shape, Span* span) {
  const auto within = [](std::size_t offset, std::size_t count, std::size_t limit) {
    return offset <= limit && count <= limit - offset;
  };
  if (!within(x, shape.width, array.row_bytes()) || !within(y, shape.height, array.rows()) ||
      !within(z, shape.depth, array.slices())) {
    return musaErrorInvalidValue;
  }
  span->pitch = array.row_bytes();
  span->slice = span->pitch * array.rows();
  span->start =
      reinterpret_cast<unsigned char*>(array.base) + z * span->slice + y * span->pitch + x;
  return musaSuccess;
}

void forget_arrays(int device) {
  const auto is_here = [&](const auto& object) { return object.device() == device; };
  array_handles().take(is_here);
  mipmap_handles().take(is_here);
}

musaError_t malloc_array(musaArray_t* array, const struct musaChannelFormatDesc* desc, size_t width,
                         size_t height, unsigned int flags) {
  if ((flags & ~kPlaneFlags) != 0) return musaErrorInvalidValue;
  return create_array(array, desc, {width, height, 0}, flags);
}

musaError_t malloc_3d_array(musaArray_t* array, const struct musaChannelFormatDesc* desc,
                            struct musaExtent extent, unsigned int flags) {
  return create_array(array, desc, extent, flags);
}

musaError_t free_array(musaArray_t array) {
  return api([&](Runtime& runtime) {
    if (array == nullptr) return musaSuccess;
    const auto found = resolve_array(array);
    if (found == nullptr || found->is_level) return musaErrorInvalidValue;
    // Another thread may have destroyed it first.
    const musaError_t status = free_memory_of(runtime, *found);
    if (status != musaErrorNotPermitted) array_handles().remove(array);
    return status;
  });
}

musaError_t malloc_mipmapped_array(musaMipmappedArray_t* mipmappedArray,
                                   const struct musaChannelFormatDesc* desc,
                                   struct musaExtent extent, unsigned int numLevels,
                                   unsigned int flags) {
  return api([&](Runtime& runtime) {
    if (mipmappedArray == nullptr) return musaErrorInvalidValue;
    MUSA_RETURN_IF_ERROR(check_request(desc, extent, flags, true));
    const unsigned int levels = std::clamp(numLevels, 1U, most_levels(extent, flags));
    auto mipmap = std::make_shared<MipmappedArray>();
    mipmap->on_device = runtime.current().ordinal;
    const musaError_t status = make_levels(runtime, mipmap.get(), *desc, extent, levels, flags);
    if (status != musaSuccess) {
      for (const auto& level : mipmap->levels) free_memory_of(runtime, *level);
      return status;
    }
    for (const auto& level : mipmap->levels) array_handles().insert(level);
    *mipmappedArray = mipmap_handles().insert(mipmap);
    return musaSuccess;
  });
}

musaError_t get_mipmapped_array_level(musaArray_t* levelArray,
                                      musaMipmappedArray_const_t mipmappedArray,
                                      unsigned int level) {
  return api([&](Runtime&) {
    if (levelArray == nullptr) return musaErrorInvalidValue;
    const auto found = mipmap_handles().find(mipmappedArray);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    if (level >= found->levels.size()) return musaErrorInvalidValue;
    *levelArray = found->levels[level]->handle;
    return musaSuccess;
  });
}

musaError_t free_mipmapped_array(musaMipmappedArray_t mipmappedArray) {
  return api([&](Runtime& runtime) {
    if (mipmappedArray == nullptr) return musaSuccess;
    const auto found = mipmap_handles().find(mipmappedArray);
    if (found == nullptr) return musaErrorInvalidValue;
    musaError_t status = musaSuccess;
    for (const auto& level : found->levels) {
      status = free_memory_of(runtime, *level);
      if (status == musaErrorNotPermitted || status == musaErrorInvalidValue) return status;
      array_handles().remove(level->handle);
    }
    mipmap_handles().remove(mipmappedArray);
    return status;
  });
}

musaError_t array_get_info(struct musaChannelFormatDesc* desc, struct musaExtent* extent,
                           unsigned int* flags, musaArray_t array) {
  return api([&](Runtime&) {
    const auto found = resolve_array(array);
    if (found == nullptr) return musaErrorInvalidValue;
    // Each result is optional.
    if (desc != nullptr) *desc = found->format;
    if (extent != nullptr) *extent = found->extent;
    if (flags != nullptr) *flags = found->flags;
    return musaSuccess;
  });
}

musaError_t get_channel_desc(struct musaChannelFormatDesc* desc, musaArray_const_t array) {
  return api([&](Runtime&) {
    if (desc == nullptr) return musaErrorInvalidValue;
    const auto found = resolve_array(array);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    *desc = found->format;
    return musaSuccess;
  });
}

// Only formats of several planes have planes, and none of them can be allocated here.
musaError_t array_get_plane(musaArray_t* pPlaneArray, musaArray_t hArray, unsigned int) {
  return api([&](Runtime&) {
    if (pPlaneArray == nullptr) return musaErrorInvalidValue;
    return resolve_array(hArray) == nullptr ? musaErrorInvalidResourceHandle
                                            : musaErrorInvalidValue;
  });
}

HOST_ANSWER(musaError_t, 3, array_get_memory_requirements,
            no_requirements(array_handles(), a1, a0, a2))
HOST_ANSWER(musaError_t, 3, mipmapped_array_get_memory_requirements,
            no_requirements(mipmap_handles(), a1, a0, a2))
HOST_ANSWER(musaError_t, 2, array_get_sparse_properties, not_sparse(array_handles(), a1, a0))
HOST_ANSWER(musaError_t, 2, mipmapped_array_get_sparse_properties,
            not_sparse(mipmap_handles(), a1, a0))

}  // namespace musa
