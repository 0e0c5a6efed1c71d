// Copies and fills.
#include "src/host/musa/driver_box.h"
#include "src/host/musa/driver_call.h"
#include "src/host/musa/memory.h"

namespace musa {
namespace {

MUresult copy_bytes(void* to, const void* from, size_t size, musaMemcpyKind kind) {
  return context_call([&](Runtime&) { return memcpy(to, from, size, kind); });
}

MUresult copy_bytes_async(void* to, const void* from, size_t size, musaMemcpyKind kind,
                          MUstream stream) {
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

// A fill of one element. Work in a stream is done in order, so what was done before is seen by
// whoever sees the word, with or without a barrier.
MUresult muStreamWriteValue32(MUstream hStream, MUdeviceptr addr, muuint32_t value,
                              unsigned int flags) {
  if (flags > MU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) {
    return musa::context_call([](musa::Runtime&) { return musaErrorInvalidValue; });
  }
  return fill_async(addr, sizeof(value), value, sizeof(value), 1, 1, hStream);
}

// Copies of `count` bytes: to, from, count and, in a stream, the stream.
#define COPY(function, kind)                                                     \
  MUresult function(HOST_PARAMETERS_3(::function)) {                             \
    return musa::copy_bytes(host::same_bits(a0), host::same_bits(a1), a2, kind); \
  }
#define COPY_ASYNC(function, kind)                                                         \
  MUresult function(HOST_PARAMETERS_4(::function)) {                                       \
    return musa::copy_bytes_async(host::same_bits(a0), host::same_bits(a1), a2, kind, a3); \
  }
COPY(muMemcpy, musaMemcpyDefault)
COPY_ASYNC(muMemcpyAsync, musaMemcpyDefault)
COPY(muMemcpyHtoD_v2, musaMemcpyHostToDevice)
COPY(muMemcpyDtoH_v2, musaMemcpyDeviceToHost)
COPY(muMemcpyDtoD_v2, musaMemcpyDeviceToDevice)
COPY_ASYNC(muMemcpyHtoDAsync_v2, musaMemcpyHostToDevice)
COPY_ASYNC(muMemcpyDtoHAsync_v2, musaMemcpyDeviceToHost)
COPY_ASYNC(muMemcpyDtoDAsync_v2, musaMemcpyDeviceToDevice)

MUresult muMemoryTransferBatchAsync(MUdeviceptr* dsts, MUdeviceptr* srcs, size_t* sizes,
                                    size_t count, MUmemcpyAttributes* attrs, size_t* attrsIdxs,
                                    size_t numAttrs, size_t* failIdx, MUstream hStream) {
  static_assert(sizeof(MUmemcpyAttributes) == sizeof(musaMemcpyAttributes));
  return musa::context_call([&](musa::Runtime&) {
    return musa::memcpy_batch_async(reinterpret_cast<void**>(dsts), reinterpret_cast<void**>(srcs),
                                    sizes, count, reinterpret_cast<musaMemcpyAttributes*>(attrs),
                                    attrsIdxs, numAttrs, failIdx, hStream);
  });
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

// `count` elements in a row, or `height` rows of `width` elements that are `pitch` bytes apart.
#define FILLS(bits, Value)                                                                      \
  MUresult muMemsetD##bits##_v2(MUdeviceptr to, Value value, size_t count) {                    \
    return fill(to, 0, value, sizeof(value), count, 1);                                         \
  }                                                                                             \
  MUresult muMemsetD##bits##Async(MUdeviceptr to, Value value, size_t count, MUstream stream) { \
    return fill_async(to, 0, value, sizeof(value), count, 1, stream);                           \
  }                                                                                             \
  MUresult muMemsetD2D##bits##_v2(MUdeviceptr to, size_t pitch, Value value, size_t width,      \
                                  size_t height) {                                              \
    return fill(to, pitch, value, sizeof(value), width, height);                                \
  }                                                                                             \
  MUresult muMemsetD2D##bits##Async(MUdeviceptr to, size_t pitch, Value value, size_t width,    \
                                    size_t height, MUstream stream) {                           \
    return fill_async(to, pitch, value, sizeof(value), width, height, stream);                  \
  }
FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned int)
