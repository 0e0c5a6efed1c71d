// Copies and fills.
#include "src/host/musa/driver_box.h"
#include "src/host/musa/driver_call.h"
#include "src/host/musa/memory.h"

namespace musa {
namespace {

MUresult copy(void* to, const void* from, size_t size, musaMemcpyKind kind) {
  return context_call([&](Runtime&) { return memcpy(to, from, size, kind); });
}

MUresult copy_async(void* to, const void* from, size_t size, musaMemcpyKind kind, MUstream stream) {
  return context_call([&](Runtime&) { return memcpy_async(to, from, size, kind, stream); });
}

template <typename Perform>
MUresult copy_box(const MUSA_MEMCPY3D* box, Perform&& perform) {
  return context_call([&](Runtime&) {
    musaMemcpy3DParms params;
    MUSA_RETURN_IF_ERROR(runtime_box(box, &params));
    return perform(&params);
  });
}

// The devices of two contexts.
musaError_t devices_of(MUcontext first, MUcontext second, int* first_device, int* second_device) {
  const auto one = find_context(first);
  const auto other = find_context(second);
  if (one == nullptr || other == nullptr) return musaErrorDeviceUninitialized;
  *first_device = one->device;
  *second_device = other->device;
  return musaSuccess;
}

MUresult fill(MUdeviceptr to, size_t pitch, unsigned int value, unsigned int element, size_t width,
              size_t height) {
  return context_call(
      [&](Runtime&) { return memset_elements(pointer(to), pitch, value, element, width, height); });
}

MUresult fill_async(MUdeviceptr to, size_t pitch, unsigned int value, unsigned int element,
                    size_t width, size_t height, MUstream stream) {
  return context_call([&](Runtime&) {
    return memset_elements_async(pointer(to), pitch, value, element, width, height, stream);
  });
}

}  // namespace
}  // namespace musa

using musa::fill;
using musa::fill_async;
using musa::pointer;

MUresult muMemcpy(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount) {
  return musa::copy(pointer(dst), pointer(src), ByteCount, musaMemcpyDefault);
}

MUresult muMemcpyAsync(MUdeviceptr dst, MUdeviceptr src, size_t ByteCount, MUstream hStream) {
  return musa::copy_async(pointer(dst), pointer(src), ByteCount, musaMemcpyDefault, hStream);
}

MUresult muMemcpyPeer(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
                      MUcontext srcContext, size_t ByteCount) {
  return musa::context_call([&](musa::Runtime&) {
    int to = 0;
    int from = 0;
    MUSA_RETURN_IF_ERROR(musa::devices_of(dstContext, srcContext, &to, &from));
    return musa::memcpy_peer(pointer(dstDevice), to, pointer(srcDevice), from, ByteCount);
  });
}

MUresult muMemcpyPeerAsync(MUdeviceptr dstDevice, MUcontext dstContext, MUdeviceptr srcDevice,
                           MUcontext srcContext, size_t ByteCount, MUstream hStream) {
  return musa::context_call([&](musa::Runtime&) {
    int to = 0;
    int from = 0;
    MUSA_RETURN_IF_ERROR(musa::devices_of(dstContext, srcContext, &to, &from));
    return musa::memcpy_peer_async(pointer(dstDevice), to, pointer(srcDevice), from, ByteCount,
                                   hStream);
  });
}

MUresult muMemcpyHtoD_v2(MUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
  return musa::copy(pointer(dstDevice), srcHost, ByteCount, musaMemcpyHostToDevice);
}

MUresult muMemcpyDtoH_v2(void* dstHost, MUdeviceptr srcDevice, size_t ByteCount) {
  return musa::copy(dstHost, pointer(srcDevice), ByteCount, musaMemcpyDeviceToHost);
}

MUresult muMemcpyDtoD_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount) {
  return musa::copy(pointer(dstDevice), pointer(srcDevice), ByteCount, musaMemcpyDeviceToDevice);
}

MUresult muMemcpyDtoD(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount) {
  return muMemcpyDtoD_v2(dstDevice, srcDevice, ByteCount);
}

MUresult muMemcpyHtoDAsync_v2(MUdeviceptr dstDevice, const void* srcHost, size_t ByteCount,
                              MUstream hStream) {
  return musa::copy_async(pointer(dstDevice), srcHost, ByteCount, musaMemcpyHostToDevice, hStream);
}

MUresult muMemcpyDtoHAsync_v2(void* dstHost, MUdeviceptr srcDevice, size_t ByteCount,
                              MUstream hStream) {
  return musa::copy_async(dstHost, pointer(srcDevice), ByteCount, musaMemcpyDeviceToHost, hStream);
}

MUresult muMemcpyDtoDAsync_v2(MUdeviceptr dstDevice, MUdeviceptr srcDevice, size_t ByteCount,
                              MUstream hStream) {
  return musa::copy_async(pointer(dstDevice), pointer(srcDevice), ByteCount,
                          musaMemcpyDeviceToDevice, hStream);
}

MUresult muMemcpy3D_v2(const MUSA_MEMCPY3D* pCopy) {
  return musa::copy_box(pCopy, musa::memcpy_3d);
}

MUresult muMemcpy3DAsync_v2(const MUSA_MEMCPY3D* pCopy, MUstream hStream) {
  return musa::copy_box(pCopy, [&](const musaMemcpy3DParms* params) {
    return musa::memcpy_3d_async(params, hStream);
  });
}

MUresult muMemcpy2D_v2(const MUSA_MEMCPY2D* pCopy) {
  const MUSA_MEMCPY3D box = musa::box_of(pCopy != nullptr ? *pCopy : MUSA_MEMCPY2D{});
  return muMemcpy3D_v2(&box);
}

MUresult muMemcpy2DAsync_v2(const MUSA_MEMCPY2D* pCopy, MUstream hStream) {
  const MUSA_MEMCPY3D box = musa::box_of(pCopy != nullptr ? *pCopy : MUSA_MEMCPY2D{});
  return muMemcpy3DAsync_v2(&box, hStream);
}

MUresult muMemsetD8_v2(MUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return fill(dstDevice, 0, uc, 1, N, 1);
}

MUresult muMemsetD8Async(MUdeviceptr dstDevice, unsigned char uc, size_t N, MUstream hStream) {
  return fill_async(dstDevice, 0, uc, 1, N, 1, hStream);
}

MUresult muMemsetD16_v2(MUdeviceptr dstDevice, unsigned short us, size_t N) {
  return fill(dstDevice, 0, us, 2, N, 1);
}

MUresult muMemsetD16Async(MUdeviceptr dstDevice, unsigned short us, size_t N, MUstream hStream) {
  return fill_async(dstDevice, 0, us, 2, N, 1, hStream);
}

MUresult muMemsetD32_v2(MUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return fill(dstDevice, 0, ui, 4, N, 1);
}

MUresult muMemsetD32Async(MUdeviceptr dstDevice, unsigned int ui, size_t N, MUstream hStream) {
  return fill_async(dstDevice, 0, ui, 4, N, 1, hStream);
}

MUresult muMemsetD2D8_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                         size_t Height) {
  return fill(dstDevice, dstPitch, uc, 1, Width, Height);
}

MUresult muMemsetD2D8Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                           size_t Height, MUstream hStream) {
  return fill_async(dstDevice, dstPitch, uc, 1, Width, Height, hStream);
}

MUresult muMemsetD2D16_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                          size_t Height) {
  return fill(dstDevice, dstPitch, us, 2, Width, Height);
}

MUresult muMemsetD2D16Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                            size_t Height, MUstream hStream) {
  return fill_async(dstDevice, dstPitch, us, 2, Width, Height, hStream);
}

MUresult muMemsetD2D32_v2(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                          size_t Height) {
  return fill(dstDevice, dstPitch, ui, 4, Width, Height);
}

MUresult muMemsetD2D32Async(MUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                            size_t Height, MUstream hStream) {
  return fill_async(dstDevice, dstPitch, ui, 4, Width, Height, hStream);
}

MUresult muMemsetD32(MUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return muMemsetD32_v2(dstDevice, ui, N);
}
