// Arrays, and copies between them and the host.
#include "src/host/musa/array.h"
#include "src/host/musa/driver_format.h"

namespace musa {
namespace {

// `make` gets the format and extent that the descriptor asks for.
template <typename Make>
MUresult create_array(const MUSA_ARRAY3D_DESCRIPTOR* wanted, Make&& make) {
  return context_call([&](Runtime&) {
    if (wanted == nullptr) return musaErrorInvalidValue;
    musaChannelFormatDesc format{};
    MUSA_RETURN_IF_ERROR(runtime_format(wanted->Format, wanted->NumChannels, &format));
    return make(format, musaExtent{wanted->Width, wanted->Height, wanted->Depth});
  });
}

musaError_t describe_array(MUarray handle, MUSA_ARRAY3D_DESCRIPTOR* descriptor) {
  const auto array = resolve_array(handle);
  if (array == nullptr) return musaErrorInvalidResourceHandle;
  *descriptor = {array->extent.width,          array->extent.height,          array->extent.depth,
                 driver_format(array->format), count_channels(array->format), array->flags};
  return musaSuccess;
}

// A part of an array's first row.
MUresult into_row(MUarray array, size_t offset, const void* from, size_t count, bool async,
                  MUstream stream) {
  return context_call([&](Runtime&) {
    const auto to = reinterpret_cast<musaArray_t>(array);
    return async ? memcpy_2d_to_array_async(to, offset, 0, from, count, count, 1,
                                            musaMemcpyHostToDevice, stream)
                 : memcpy_2d_to_array(to, offset, 0, from, count, count, 1, musaMemcpyHostToDevice);
  });
}

MUresult from_row(void* to, MUarray array, size_t offset, size_t count, bool async,
                  MUstream stream) {
  return context_call([&](Runtime&) {
    const auto from = reinterpret_cast<musaArray_const_t>(array);
    return async
               ? memcpy_2d_from_array_async(to, count, from, offset, 0, count, 1,
                                            musaMemcpyDeviceToHost, stream)
               : memcpy_2d_from_array(to, count, from, offset, 0, count, 1, musaMemcpyDeviceToHost);
  });
}

}  // namespace
}  // namespace musa

using musa::context_call;
using musa::Runtime;

MUresult muArrayCreate_v2(MUarray* pHandle, const MUSA_ARRAY_DESCRIPTOR* pAllocateArray) {
  MUSA_ARRAY3D_DESCRIPTOR wanted{};
  if (pAllocateArray != nullptr) {
    wanted = {pAllocateArray->Width,  pAllocateArray->Height,      0,
              pAllocateArray->Format, pAllocateArray->NumChannels, 0};
  }
  return muArray3DCreate_v2(pHandle, &wanted);
}

MUresult muArray3DCreate_v2(MUarray* pHandle, const MUSA_ARRAY3D_DESCRIPTOR* pAllocateArray) {
  return musa::create_array(pAllocateArray,
                            [&](const musaChannelFormatDesc& format, const musaExtent& extent) {
                              return musa::malloc_3d_array(reinterpret_cast<musaArray_t*>(pHandle),
                                                           &format, extent, pAllocateArray->Flags);
                            });
}

MUresult muMipmappedArrayCreate(MUmipmappedArray* pHandle,
                                const MUSA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                unsigned int numMipmapLevels) {
  return musa::create_array(pMipmappedArrayDesc, [&](const musaChannelFormatDesc& format,
                                                     const musaExtent& extent) {
    return musa::malloc_mipmapped_array(reinterpret_cast<musaMipmappedArray_t*>(pHandle), &format,
                                        extent, numMipmapLevels, pMipmappedArrayDesc->Flags);
  });
}

MUresult muArray3DGetDescriptor_v2(MUSA_ARRAY3D_DESCRIPTOR* pArrayDescriptor, MUarray hArray) {
  return context_call([&](Runtime&) {
    return pArrayDescriptor == nullptr ? musaErrorInvalidValue
                                       : musa::describe_array(hArray, pArrayDescriptor);
  });
}

MUresult muArrayGetDescriptor_v2(MUSA_ARRAY_DESCRIPTOR* pArrayDescriptor, MUarray hArray) {
  return context_call([&](Runtime&) {
    if (pArrayDescriptor == nullptr) return musaErrorInvalidValue;
    MUSA_ARRAY3D_DESCRIPTOR longer;
    MUSA_RETURN_IF_ERROR(musa::describe_array(hArray, &longer));
    *pArrayDescriptor = {longer.Width, longer.Height, longer.Format, longer.NumChannels};
    return musaSuccess;
  });
}

// Unlike the runtime's, these functions refuse null, and tell what is no array from other errors.
MUresult muArrayDestroy(MUarray hArray) {
  return context_call([&](Runtime&) {
    return musa::resolve_array(hArray) == nullptr
               ? musaErrorInvalidResourceHandle
               : musa::free_array(reinterpret_cast<musaArray_t>(hArray));
  });
}

MUresult muMipmappedArrayDestroy(MUmipmappedArray hMipmappedArray) {
  return context_call([&](Runtime&) {
    return musa::resolve_mipmapped_array(hMipmappedArray) == nullptr
               ? musaErrorInvalidResourceHandle
               : musa::free_mipmapped_array(
                     reinterpret_cast<musaMipmappedArray_t>(hMipmappedArray));
  });
}

IN_CONTEXT(3, muMipmappedArrayGetLevel, get_mipmapped_array_level)

MUresult muMemcpyHtoA_v2(MUarray dstArray, size_t dstOffset, const void* srcHost,
                         size_t ByteCount) {
  return musa::into_row(dstArray, dstOffset, srcHost, ByteCount, false, nullptr);
}

MUresult muMemcpyHtoAAsync_v2(MUarray dstArray, size_t dstOffset, const void* srcHost,
                              size_t ByteCount, MUstream hStream) {
  return musa::into_row(dstArray, dstOffset, srcHost, ByteCount, true, hStream);
}

MUresult muMemcpyAtoH_v2(void* dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount) {
  return musa::from_row(dstHost, srcArray, srcOffset, ByteCount, false, nullptr);
}

MUresult muMemcpyAtoHAsync_v2(void* dstHost, MUarray srcArray, size_t srcOffset, size_t ByteCount,
                              MUstream hStream) {
  return musa::from_row(dstHost, srcArray, srcOffset, ByteCount, true, hStream);
}
