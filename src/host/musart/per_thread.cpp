// Calls of programs compiled with a default stream per thread.
#include "src/host/musart/per_thread.h"

#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::own_stream;

namespace {

// Turns an asynchronous call into a synchronous one: waits for the thread's stream and for nothing
// else.
musaError_t finish(musaError_t status) {
  return status != musaSuccess ? status : musaStreamSynchronize(musaStreamPerThread);
}

}  // namespace

musaError_t musaEventRecordWithFlags_ptsz(musaEvent_t event, musaStream_t stream,
                                          unsigned int flags) {
  return musaEventRecordWithFlags(event, own_stream(stream), flags);
}

musaError_t musaEventRecord_ptsz(musaEvent_t event, musaStream_t stream) {
  return musaEventRecord(event, own_stream(stream));
}

musaError_t musaFreeAsync_ptsz(void* devPtr, musaStream_t hStream) {
  return musaFreeAsync(devPtr, own_stream(hStream));
}

musaError_t musaGetDriverEntryPointByVersion_ptsz(
    const char* symbol, void** funcPtr, unsigned int musaVersion, unsigned long long flags,
    enum musaDriverEntryPointQueryResult* driverStatus) {
  return musaGetDriverEntryPointByVersion(symbol, funcPtr, musaVersion, flags, driverStatus);
}

musaError_t musaGetDriverEntryPoint_ptsz(const char* symbol, void** funcPtr,
                                         unsigned long long flags,
                                         enum musaDriverEntryPointQueryResult* driverStatus) {
  return musaGetDriverEntryPoint(symbol, funcPtr, flags, driverStatus);
}

musaError_t musaLaunchCooperativeKernel_ptsz(const void* func, dim3 gridDim, dim3 blockDim,
                                             void** args, size_t sharedMem, musaStream_t stream) {
  return musaLaunchCooperativeKernel(func, gridDim, blockDim, args, sharedMem, own_stream(stream));
}

musaError_t musaLaunchHostFunc_ptsz(musaStream_t stream, musaHostFn_t fn, void* userData) {
  return musaLaunchHostFunc(own_stream(stream), fn, userData);
}

musaError_t musaLaunchKernelExC_ptsz(const musaLaunchConfig_t* config, const void* func,
                                     void** args) {
  if (config == nullptr) return musaLaunchKernelExC(config, func, args);
  musaLaunchConfig_t in_own_stream = *config;
  in_own_stream.stream = own_stream(config->stream);
  return musaLaunchKernelExC(&in_own_stream, func, args);
}

musaError_t musaLaunchKernel_ptsz(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                  size_t sharedMem, musaStream_t stream) {
  return musaLaunchKernel(func, gridDim, blockDim, args, sharedMem, own_stream(stream));
}

musaError_t musaMallocAsync_ptsz(void** devPtr, size_t size, musaStream_t hStream) {
  return musaMallocAsync(devPtr, size, own_stream(hStream));
}

musaError_t musaMallocFromPoolAsync_ptsz(void** ptr, size_t size, musaMemPool_t memPool,
                                         musaStream_t stream) {
  return musaMallocFromPoolAsync(ptr, size, memPool, own_stream(stream));
}

musaError_t musaMemPrefetchAsync_ptsz(const void* devPtr, size_t count, int dstDevice,
                                      musaStream_t stream) {
  return musaMemPrefetchAsync(devPtr, count, dstDevice, own_stream(stream));
}

musaError_t musaMemPrefetchAsync_v2_ptsz(const void* devPtr, size_t count,
                                         struct musaMemLocation location, unsigned int flags,
                                         musaStream_t stream) {
  return musaMemPrefetchAsync_v2(devPtr, count, location, flags, own_stream(stream));
}

musaError_t musaMemcpy2DAsync_ptsz(void* dst, size_t dpitch, const void* src, size_t spitch,
                                   size_t width, size_t height, enum musaMemcpyKind kind,
                                   musaStream_t stream) {
  return musaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, own_stream(stream));
}

musaError_t musaMemcpy2DFromArrayAsync_ptsz(void* dst, size_t dpitch, musaArray_const_t src,
                                            size_t wOffset, size_t hOffset, size_t width,
                                            size_t height, enum musaMemcpyKind kind,
                                            musaStream_t stream) {
  return musaMemcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind,
                                    own_stream(stream));
}

musaError_t musaMemcpy2DFromArray_ptds(void* dst, size_t dpitch, musaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       enum musaMemcpyKind kind) {
  return finish(musaMemcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind,
                                           musaStreamPerThread));
}

musaError_t musaMemcpy2DToArrayAsync_ptsz(musaArray_t dst, size_t wOffset, size_t hOffset,
                                          const void* src, size_t spitch, size_t width,
                                          size_t height, enum musaMemcpyKind kind,
                                          musaStream_t stream) {
  return musaMemcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind,
                                  own_stream(stream));
}

musaError_t musaMemcpy2DToArray_ptds(musaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void* src, size_t spitch, size_t width, size_t height,
                                     enum musaMemcpyKind kind) {
  return finish(musaMemcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind,
                                         musaStreamPerThread));
}

musaError_t musaMemcpy2D_ptds(void* dst, size_t dpitch, const void* src, size_t spitch,
                              size_t width, size_t height, enum musaMemcpyKind kind) {
  return finish(
      musaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, musaStreamPerThread));
}

musaError_t musaMemcpy3DAsync_ptsz(const struct musaMemcpy3DParms* p, musaStream_t stream) {
  return musaMemcpy3DAsync(p, own_stream(stream));
}

musaError_t musaMemcpy3DBatchAsync_ptsz(size_t numOps, struct musaMemcpy3DBatchOp* opList,
                                        size_t* failIdx, unsigned long long flags,
                                        musaStream_t stream) {
  return musaMemcpy3DBatchAsync(numOps, opList, failIdx, flags, own_stream(stream));
}

musaError_t musaMemcpy3DPeerAsync_ptsz(const struct musaMemcpy3DPeerParms* p, musaStream_t stream) {
  return musaMemcpy3DPeerAsync(p, own_stream(stream));
}

musaError_t musaMemcpy3DPeer_ptds(const struct musaMemcpy3DPeerParms* p) {
  return finish(musaMemcpy3DPeerAsync(p, musaStreamPerThread));
}

musaError_t musaMemcpy3D_ptds(const struct musaMemcpy3DParms* p) {
  return finish(musaMemcpy3DAsync(p, musaStreamPerThread));
}

musaError_t musaMemcpyAsync_ptsz(void* dst, const void* src, size_t count, enum musaMemcpyKind kind,
                                 musaStream_t stream) {
  return musaMemcpyAsync(dst, src, count, kind, own_stream(stream));
}

musaError_t musaMemcpyBatchAsync_ptsz(void** dsts, void** srcs, size_t* sizes, size_t count,
                                      struct musaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                      size_t numAttrs, size_t* failIdx, musaStream_t stream) {
  return musaMemcpyBatchAsync(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx,
                              own_stream(stream));
}

musaError_t musaMemcpyFromSymbolAsync_ptsz(void* dst, const void* symbol, size_t count,
                                           size_t offset, enum musaMemcpyKind kind,
                                           musaStream_t stream) {
  return musaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, own_stream(stream));
}

musaError_t musaMemcpyFromSymbol_ptds(void* dst, const void* symbol, size_t count, size_t offset,
                                      enum musaMemcpyKind kind) {
  return finish(musaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, musaStreamPerThread));
}

musaError_t musaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* src, size_t count,
                                         size_t offset, enum musaMemcpyKind kind,
                                         musaStream_t stream) {
  return musaMemcpyToSymbolAsync(symbol, src, count, offset, kind, own_stream(stream));
}

musaError_t musaMemcpyToSymbol_ptds(const void* symbol, const void* src, size_t count,
                                    size_t offset, enum musaMemcpyKind kind) {
  return finish(musaMemcpyToSymbolAsync(symbol, src, count, offset, kind, musaStreamPerThread));
}

musaError_t musaMemcpy_ptds(void* dst, const void* src, size_t count, enum musaMemcpyKind kind) {
  return finish(musaMemcpyAsync(dst, src, count, kind, musaStreamPerThread));
}

musaError_t musaMemset2DAsync_ptsz(void* devPtr, size_t pitch, int value, size_t width,
                                   size_t height, musaStream_t stream) {
  return musaMemset2DAsync(devPtr, pitch, value, width, height, own_stream(stream));
}

musaError_t musaMemset2D_ptds(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  return finish(musaMemset2DAsync(devPtr, pitch, value, width, height, musaStreamPerThread));
}

// By value, as the API has it.
// cppcheck-suppress passedByValue
musaError_t musaMemset3DAsync_ptsz(struct musaPitchedPtr pitchedDevPtr, int value,
                                   struct musaExtent extent, musaStream_t stream) {
  return musaMemset3DAsync(pitchedDevPtr, value, extent, own_stream(stream));
}

musaError_t musaMemset3D_ptds(struct musaPitchedPtr pitchedDevPtr, int value,
                              struct musaExtent extent) {
  return finish(musaMemset3DAsync(pitchedDevPtr, value, extent, musaStreamPerThread));
}

musaError_t musaMemsetAsync_ptsz(void* devPtr, int value, size_t count, musaStream_t stream) {
  return musaMemsetAsync(devPtr, value, count, own_stream(stream));
}

musaError_t musaMemset_ptds(void* devPtr, int value, size_t count) {
  return finish(musaMemsetAsync(devPtr, value, count, musaStreamPerThread));
}

musaError_t musaStreamAddCallback_ptsz(musaStream_t stream, musaStreamCallback_t callback,
                                       void* userData, unsigned int flags) {
  return musaStreamAddCallback(own_stream(stream), callback, userData, flags);
}

musaError_t musaStreamAttachMemAsync_ptsz(musaStream_t stream, void* devPtr, size_t length,
                                          unsigned int flags) {
  return musaStreamAttachMemAsync(own_stream(stream), devPtr, length, flags);
}

musaError_t musaStreamCopyAttributes_ptsz(musaStream_t dst, musaStream_t src) {
  return musaStreamCopyAttributes(own_stream(dst), own_stream(src));
}

musaError_t musaStreamGetAttribute_ptsz(musaStream_t hStream, musaLaunchAttributeID attr,
                                        musaLaunchAttributeValue* value_out) {
  return musaStreamGetAttribute(own_stream(hStream), attr, value_out);
}

musaError_t musaStreamGetDevice_ptsz(musaStream_t hStream, int* device) {
  return musaStreamGetDevice(own_stream(hStream), device);
}

musaError_t musaStreamGetFlags_ptsz(musaStream_t hStream, unsigned int* flags) {
  return musaStreamGetFlags(own_stream(hStream), flags);
}

musaError_t musaStreamGetId_ptsz(musaStream_t hStream, unsigned long long* streamId) {
  return musaStreamGetId(own_stream(hStream), streamId);
}

musaError_t musaStreamGetPriority_ptsz(musaStream_t hStream, int* priority) {
  return musaStreamGetPriority(own_stream(hStream), priority);
}

musaError_t musaStreamQuery_ptsz(musaStream_t stream) {
  return musaStreamQuery(own_stream(stream));
}

musaError_t musaStreamSetAttribute_ptsz(musaStream_t hStream, musaLaunchAttributeID attr,
                                        const musaLaunchAttributeValue* value) {
  return musaStreamSetAttribute(own_stream(hStream), attr, value);
}

musaError_t musaStreamSynchronize_ptsz(musaStream_t stream) {
  return musaStreamSynchronize(own_stream(stream));
}

musaError_t musaStreamWaitEvent_ptsz(musaStream_t stream, musaEvent_t event, unsigned int flags) {
  return musaStreamWaitEvent(own_stream(stream), event, flags);
}

musaError_t musaMemcpy2DArrayToArray_ptds(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                          musaArray_const_t src, size_t wOffsetSrc,
                                          size_t hOffsetSrc, size_t width, size_t height,
                                          enum musaMemcpyKind kind) {
  return finish(musart::recorded(
      musa::memcpy_2d_array_to_array_async(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc,
                                           width, height, kind, musaStreamPerThread)));
}
