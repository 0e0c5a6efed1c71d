#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaMemcpy(void* dst, const void* src, size_t count, enum musaMemcpyKind kind) {
  return recorded(musa::memcpy(dst, src, count, kind));
}

musaError_t musaMemcpyAsync(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                            musaStream_t stream) {
  return recorded(musa::memcpy_async(dst, src, count, kind, stream));
}

musaError_t musaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                         size_t height, enum musaMemcpyKind kind) {
  return recorded(musa::memcpy_2d(dst, dpitch, src, spitch, width, height, kind));
}

musaError_t musaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch,
                              size_t width, size_t height, enum musaMemcpyKind kind,
                              musaStream_t stream) {
  return recorded(musa::memcpy_2d_async(dst, dpitch, src, spitch, width, height, kind, stream));
}

musaError_t musaMemcpy3D(const struct musaMemcpy3DParms* p) { return recorded(musa::memcpy_3d(p)); }

musaError_t musaMemcpy3DAsync(const struct musaMemcpy3DParms* p, musaStream_t stream) {
  return recorded(musa::memcpy_3d_async(p, stream));
}

musaError_t musaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  return recorded(musa::memcpy_peer(dst, dstDevice, src, srcDevice, count));
}

musaError_t musaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice,
                                size_t count, musaStream_t stream) {
  return recorded(musa::memcpy_peer_async(dst, dstDevice, src, srcDevice, count, stream));
}

musaError_t musaMemcpy3DPeer(const struct musaMemcpy3DPeerParms* p) {
  return recorded(musa::memcpy_3d_peer(p));
}

musaError_t musaMemcpy3DPeerAsync(const struct musaMemcpy3DPeerParms* p, musaStream_t stream) {
  return recorded(musa::memcpy_3d_peer_async(p, stream));
}

musaError_t musaMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count,
                                 struct musaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                 size_t numAttrs, size_t* failIdx, musaStream_t stream) {
  return recorded(musa::memcpy_batch_async(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs,
                                           failIdx, stream));
}

musaError_t musaMemcpy3DBatchAsync(size_t numOps, struct musaMemcpy3DBatchOp* opList,
                                   size_t* failIdx, unsigned long long flags, musaStream_t stream) {
  return recorded(musa::memcpy_3d_batch_async(numOps, opList, failIdx, flags, stream));
}
