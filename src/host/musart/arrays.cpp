#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

struct musaChannelFormatDesc musaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum musaChannelFormatKind f) {
  return {x, y, z, w, f};
}

musaError_t musaMallocArray(musaArray_t* array, const struct musaChannelFormatDesc* desc,
                            size_t width, size_t height, unsigned int flags) {
  return recorded(musa::malloc_array(array, desc, width, height, flags));
}

musaError_t musaMalloc3DArray(musaArray_t* array, const struct musaChannelFormatDesc* desc,
                              struct musaExtent extent, unsigned int flags) {
  return recorded(musa::malloc_3d_array(array, desc, extent, flags));
}

musaError_t musaFreeArray(musaArray_t array) { return recorded(musa::free_array(array)); }

musaError_t musaMallocMipmappedArray(musaMipmappedArray_t* mipmappedArray,
                                     const struct musaChannelFormatDesc* desc,
                                     struct musaExtent extent, unsigned int numLevels,
                                     unsigned int flags) {
  return recorded(musa::malloc_mipmapped_array(mipmappedArray, desc, extent, numLevels, flags));
}

musaError_t musaGetMipmappedArrayLevel(musaArray_t* levelArray,
                                       musaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level) {
  return recorded(musa::get_mipmapped_array_level(levelArray, mipmappedArray, level));
}

musaError_t musaFreeMipmappedArray(musaMipmappedArray_t mipmappedArray) {
  return recorded(musa::free_mipmapped_array(mipmappedArray));
}

musaError_t musaArrayGetInfo(struct musaChannelFormatDesc* desc, struct musaExtent* extent,
                             unsigned int* flags, musaArray_t array) {
  return recorded(musa::array_get_info(desc, extent, flags, array));
}

musaError_t musaGetChannelDesc(struct musaChannelFormatDesc* desc, musaArray_const_t array) {
  return recorded(musa::get_channel_desc(desc, array));
}

musaError_t musaArrayGetPlane(musaArray_t* pPlaneArray, musaArray_t hArray, unsigned int planeIdx) {
  return recorded(musa::array_get_plane(pPlaneArray, hArray, planeIdx));
}

musaError_t musaArrayGetMemoryRequirements(struct musaArrayMemoryRequirements* memoryRequirements,
                                           musaArray_t array, int device) {
  return recorded(musa::array_get_memory_requirements(memoryRequirements, array, device));
}

musaError_t musaMipmappedArrayGetMemoryRequirements(
    struct musaArrayMemoryRequirements* memoryRequirements, musaMipmappedArray_t mipmap,
    int device) {
  return recorded(
      musa::mipmapped_array_get_memory_requirements(memoryRequirements, mipmap, device));
}

musaError_t musaArrayGetSparseProperties(struct musaArraySparseProperties* sparseProperties,
                                         musaArray_t array) {
  return recorded(musa::array_get_sparse_properties(sparseProperties, array));
}

musaError_t musaMipmappedArrayGetSparseProperties(
    struct musaArraySparseProperties* sparseProperties, musaMipmappedArray_t mipmap) {
  return recorded(musa::mipmapped_array_get_sparse_properties(sparseProperties, mipmap));
}

musaError_t musaMemcpy2DToArray(musaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                size_t spitch, size_t width, size_t height,
                                enum musaMemcpyKind kind) {
  return recorded(
      musa::memcpy_2d_to_array(dst, wOffset, hOffset, src, spitch, width, height, kind));
}

musaError_t musaMemcpy2DToArrayAsync(musaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void* src, size_t spitch, size_t width, size_t height,
                                     enum musaMemcpyKind kind, musaStream_t stream) {
  return recorded(musa::memcpy_2d_to_array_async(dst, wOffset, hOffset, src, spitch, width, height,
                                                 kind, stream));
}

musaError_t musaMemcpy2DFromArray(void* dst, size_t dpitch, musaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  enum musaMemcpyKind kind) {
  return recorded(
      musa::memcpy_2d_from_array(dst, dpitch, src, wOffset, hOffset, width, height, kind));
}

musaError_t musaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, musaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       enum musaMemcpyKind kind, musaStream_t stream) {
  return recorded(musa::memcpy_2d_from_array_async(dst, dpitch, src, wOffset, hOffset, width,
                                                   height, kind, stream));
}

musaError_t musaMemcpy2DArrayToArray(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     musaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, enum musaMemcpyKind kind) {
  return recorded(musa::memcpy_2d_array_to_array(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc,
                                                 hOffsetSrc, width, height, kind));
}
