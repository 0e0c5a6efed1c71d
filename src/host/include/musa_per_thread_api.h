// What a program calls when it is compiled with a default stream per thread: stream 0 is then the
// calling thread's own stream, and calls without a stream use it.
//
// Names: MooreThreads/kineto:libkineto/src/mupti_strings.cpp (callback ids).
// Assumed: the prototypes are those of the functions without the suffix.
#pragma once

#include "musa_runtime_api.h"

#if defined(__cplusplus)
extern "C" {
#endif

MUSARTAPI musaError_t musaEventRecordWithFlags_ptsz(musaEvent_t event, musaStream_t stream,
                                                    unsigned int flags);
MUSARTAPI musaError_t musaEventRecord_ptsz(musaEvent_t event, musaStream_t stream);
MUSARTAPI musaError_t musaFreeAsync_ptsz(void* devPtr, musaStream_t hStream);
MUSARTAPI musaError_t musaLaunchCooperativeKernel_ptsz(const void* func, dim3 gridDim,
                                                       dim3 blockDim, void** args, size_t sharedMem,
                                                       musaStream_t stream);
MUSARTAPI musaError_t musaLaunchHostFunc_ptsz(musaStream_t stream, musaHostFn_t fn, void* userData);
MUSARTAPI musaError_t musaLaunchKernelExC_ptsz(const musaLaunchConfig_t* config, const void* func,
                                               void** args);
MUSARTAPI musaError_t musaLaunchKernel_ptsz(const void* func, dim3 gridDim, dim3 blockDim,
                                            void** args, size_t sharedMem, musaStream_t stream);
MUSARTAPI musaError_t musaMallocAsync_ptsz(void** devPtr, size_t size, musaStream_t hStream);
MUSARTAPI musaError_t musaMallocFromPoolAsync_ptsz(void** ptr, size_t size, musaMemPool_t memPool,
                                                   musaStream_t stream);
MUSARTAPI musaError_t musaMemPrefetchAsync_ptsz(const void* devPtr, size_t count, int dstDevice,
                                                musaStream_t stream);
MUSARTAPI musaError_t musaMemPrefetchAsync_v2_ptsz(const void* devPtr, size_t count,
                                                   struct musaMemLocation location,
                                                   unsigned int flags, musaStream_t stream);
MUSARTAPI musaError_t musaMemcpy2DArrayToArray_ptds(musaArray_t dst, size_t wOffsetDst,
                                                    size_t hOffsetDst, musaArray_const_t src,
                                                    size_t wOffsetSrc, size_t hOffsetSrc,
                                                    size_t width, size_t height,
                                                    enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpy2DAsync_ptsz(void* dst, size_t dpitch, const void* src,
                                             size_t spitch, size_t width, size_t height,
                                             enum musaMemcpyKind kind, musaStream_t stream);
MUSARTAPI musaError_t musaMemcpy2DFromArrayAsync_ptsz(void* dst, size_t dpitch,
                                                      musaArray_const_t src, size_t wOffset,
                                                      size_t hOffset, size_t width, size_t height,
                                                      enum musaMemcpyKind kind,
                                                      musaStream_t stream);
MUSARTAPI musaError_t musaMemcpy2DFromArray_ptds(void* dst, size_t dpitch, musaArray_const_t src,
                                                 size_t wOffset, size_t hOffset, size_t width,
                                                 size_t height, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpy2DToArrayAsync_ptsz(musaArray_t dst, size_t wOffset, size_t hOffset,
                                                    const void* src, size_t spitch, size_t width,
                                                    size_t height, enum musaMemcpyKind kind,
                                                    musaStream_t stream);
MUSARTAPI musaError_t musaMemcpy2DToArray_ptds(musaArray_t dst, size_t wOffset, size_t hOffset,
                                               const void* src, size_t spitch, size_t width,
                                               size_t height, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpy2D_ptds(void* dst, size_t dpitch, const void* src, size_t spitch,
                                        size_t width, size_t height, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpy3DAsync_ptsz(const struct musaMemcpy3DParms* p,
                                             musaStream_t stream);
MUSARTAPI musaError_t musaMemcpy3DBatchAsync_ptsz(size_t numOps, struct musaMemcpy3DBatchOp* opList,
                                                  size_t* failIdx, unsigned long long flags,
                                                  musaStream_t stream);
MUSARTAPI musaError_t musaMemcpy3DPeerAsync_ptsz(const struct musaMemcpy3DPeerParms* p,
                                                 musaStream_t stream);
MUSARTAPI musaError_t musaMemcpy3DPeer_ptds(const struct musaMemcpy3DPeerParms* p);
MUSARTAPI musaError_t musaMemcpy3D_ptds(const struct musaMemcpy3DParms* p);
MUSARTAPI musaError_t musaMemcpyAsync_ptsz(void* dst, const void* src, size_t count,
                                           enum musaMemcpyKind kind, musaStream_t stream);
MUSARTAPI musaError_t musaMemcpyBatchAsync_ptsz(void** dsts, void** srcs, size_t* sizes,
                                                size_t count, struct musaMemcpyAttributes* attrs,
                                                size_t* attrsIdxs, size_t numAttrs, size_t* failIdx,
                                                musaStream_t stream);
MUSARTAPI musaError_t musaMemcpyFromSymbolAsync_ptsz(void* dst, const void* symbol, size_t count,
                                                     size_t offset, enum musaMemcpyKind kind,
                                                     musaStream_t stream);
MUSARTAPI musaError_t musaMemcpyFromSymbol_ptds(void* dst, const void* symbol, size_t count,
                                                size_t offset, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* src,
                                                   size_t count, size_t offset,
                                                   enum musaMemcpyKind kind, musaStream_t stream);
MUSARTAPI musaError_t musaMemcpyToSymbol_ptds(const void* symbol, const void* src, size_t count,
                                              size_t offset, enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemcpy_ptds(void* dst, const void* src, size_t count,
                                      enum musaMemcpyKind kind);
MUSARTAPI musaError_t musaMemset2DAsync_ptsz(void* devPtr, size_t pitch, int value, size_t width,
                                             size_t height, musaStream_t stream);
MUSARTAPI musaError_t musaMemset2D_ptds(void* devPtr, size_t pitch, int value, size_t width,
                                        size_t height);
MUSARTAPI musaError_t musaMemset3DAsync_ptsz(struct musaPitchedPtr pitchedDevPtr, int value,
                                             struct musaExtent extent, musaStream_t stream);
MUSARTAPI musaError_t musaMemset3D_ptds(struct musaPitchedPtr pitchedDevPtr, int value,
                                        struct musaExtent extent);
MUSARTAPI musaError_t musaMemsetAsync_ptsz(void* devPtr, int value, size_t count,
                                           musaStream_t stream);
MUSARTAPI musaError_t musaMemset_ptds(void* devPtr, int value, size_t count);
MUSARTAPI musaError_t musaStreamAddCallback_ptsz(musaStream_t stream, musaStreamCallback_t callback,
                                                 void* userData, unsigned int flags);
MUSARTAPI musaError_t musaStreamAttachMemAsync_ptsz(musaStream_t stream, void* devPtr,
                                                    size_t length, unsigned int flags);
MUSARTAPI musaError_t musaStreamCopyAttributes_ptsz(musaStream_t dst, musaStream_t src);
MUSARTAPI musaError_t musaStreamGetAttribute_ptsz(musaStream_t hStream, musaLaunchAttributeID attr,
                                                  musaLaunchAttributeValue* value_out);
MUSARTAPI musaError_t musaStreamGetDevice_ptsz(musaStream_t hStream, int* device);
MUSARTAPI musaError_t musaStreamGetFlags_ptsz(musaStream_t hStream, unsigned int* flags);
MUSARTAPI musaError_t musaStreamGetId_ptsz(musaStream_t hStream, unsigned long long* streamId);
MUSARTAPI musaError_t musaStreamGetPriority_ptsz(musaStream_t hStream, int* priority);
MUSARTAPI musaError_t musaStreamQuery_ptsz(musaStream_t stream);
MUSARTAPI musaError_t musaStreamSetAttribute_ptsz(musaStream_t hStream, musaLaunchAttributeID attr,
                                                  const musaLaunchAttributeValue* value);
MUSARTAPI musaError_t musaStreamSynchronize_ptsz(musaStream_t stream);
MUSARTAPI musaError_t musaStreamWaitEvent_ptsz(musaStream_t stream, musaEvent_t event,
                                               unsigned int flags);

#if defined(__cplusplus)
}
#endif
