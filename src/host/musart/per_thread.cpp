// Calls of programs compiled with a default stream per thread. They differ only in the meaning of
// stream 0.
#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"
#include "src/host/shared/forward.h"

namespace {

musaStream_t own(musaStream_t stream) { return stream == nullptr ? musaStreamPerThread : stream; }

template <typename Other>
Other own(Other argument) {
  return argument;
}

// Turns an asynchronous call into a synchronous one: waits for the thread's stream and for nothing
// else.
musaError_t finish(musaError_t status) {
  return status != musaSuccess ? status : musaStreamSynchronize(musaStreamPerThread);
}

}  // namespace

// Calls the function with the thread's own stream in place of stream 0.
#define IN_OWN_STREAM(count, function)                                      \
  musaError_t function##_ptsz(HOST_PARAMETERS_##count(::function##_ptsz)) { \
    return function(HOST_ARGUMENTS_##count(own));                           \
  }

IN_OWN_STREAM(3, musaEventRecordWithFlags)
IN_OWN_STREAM(2, musaEventRecord)
IN_OWN_STREAM(2, musaFreeAsync)
IN_OWN_STREAM(6, musaLaunchCooperativeKernel)
IN_OWN_STREAM(3, musaLaunchHostFunc)
IN_OWN_STREAM(6, musaLaunchKernel)
IN_OWN_STREAM(3, musaMallocAsync)
IN_OWN_STREAM(4, musaMallocFromPoolAsync)
IN_OWN_STREAM(4, musaMemPrefetchAsync)
IN_OWN_STREAM(5, musaMemPrefetchAsync_v2)
IN_OWN_STREAM(8, musaMemcpy2DAsync)
IN_OWN_STREAM(9, musaMemcpy2DFromArrayAsync)
IN_OWN_STREAM(9, musaMemcpy2DToArrayAsync)
IN_OWN_STREAM(2, musaMemcpy3DAsync)
IN_OWN_STREAM(5, musaMemcpy3DBatchAsync)
IN_OWN_STREAM(2, musaMemcpy3DPeerAsync)
IN_OWN_STREAM(5, musaMemcpyAsync)
IN_OWN_STREAM(9, musaMemcpyBatchAsync)
IN_OWN_STREAM(6, musaMemcpyFromSymbolAsync)
IN_OWN_STREAM(6, musaMemcpyToSymbolAsync)
IN_OWN_STREAM(6, musaMemset2DAsync)
IN_OWN_STREAM(4, musaMemset3DAsync)
IN_OWN_STREAM(4, musaMemsetAsync)
IN_OWN_STREAM(4, musaStreamAddCallback)
IN_OWN_STREAM(4, musaStreamAttachMemAsync)
IN_OWN_STREAM(2, musaStreamCopyAttributes)
IN_OWN_STREAM(3, musaStreamGetAttribute)
IN_OWN_STREAM(2, musaStreamGetDevice)
IN_OWN_STREAM(2, musaStreamGetFlags)
IN_OWN_STREAM(2, musaStreamGetId)
IN_OWN_STREAM(2, musaStreamGetPriority)
IN_OWN_STREAM(1, musaStreamQuery)
IN_OWN_STREAM(3, musaStreamSetAttribute)
IN_OWN_STREAM(1, musaStreamSynchronize)
IN_OWN_STREAM(3, musaStreamWaitEvent)
IN_OWN_STREAM(2, musaGraphUpload)
IN_OWN_STREAM(2, musaGraphLaunch)
IN_OWN_STREAM(2, musaStreamBeginCapture)
IN_OWN_STREAM(6, musaStreamBeginCaptureToGraph)
IN_OWN_STREAM(2, musaStreamEndCapture)
IN_OWN_STREAM(6, musaStreamGetCaptureInfo_v2)
IN_OWN_STREAM(7, musaStreamGetCaptureInfo_v3)
IN_OWN_STREAM(4, musaStreamUpdateCaptureDependencies)
IN_OWN_STREAM(5, musaStreamUpdateCaptureDependencies_v2)
IN_OWN_STREAM(2, musaStreamIsCapturing)

// Calls the asynchronous function in the thread's own stream.
#define WAIT_FOR_OWN_STREAM(count, function)                                          \
  musaError_t function##_ptds(HOST_PARAMETERS_##count(::function##_ptds)) {           \
    return finish(function##Async(HOST_ARGUMENTS_##count(own), musaStreamPerThread)); \
  }

WAIT_FOR_OWN_STREAM(8, musaMemcpy2DFromArray)
WAIT_FOR_OWN_STREAM(8, musaMemcpy2DToArray)
WAIT_FOR_OWN_STREAM(7, musaMemcpy2D)
WAIT_FOR_OWN_STREAM(1, musaMemcpy3DPeer)
WAIT_FOR_OWN_STREAM(1, musaMemcpy3D)
WAIT_FOR_OWN_STREAM(5, musaMemcpyFromSymbol)
WAIT_FOR_OWN_STREAM(5, musaMemcpyToSymbol)
WAIT_FOR_OWN_STREAM(4, musaMemcpy)
WAIT_FOR_OWN_STREAM(5, musaMemset2D)
WAIT_FOR_OWN_STREAM(3, musaMemset3D)
WAIT_FOR_OWN_STREAM(3, musaMemset)

musaError_t musaLaunchKernelExC_ptsz(const musaLaunchConfig_t* config, const void* func,
                                     void** args) {
  if (config == nullptr) return musaLaunchKernelExC(config, func, args);
  musaLaunchConfig_t in_own_stream = *config;
  in_own_stream.stream = own(config->stream);
  return musaLaunchKernelExC(&in_own_stream, func, args);
}

musaError_t musaMemcpy2DArrayToArray_ptds(musaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                          musaArray_const_t src, size_t wOffsetSrc,
                                          size_t hOffsetSrc, size_t width, size_t height,
                                          enum musaMemcpyKind kind) {
  return finish(musart::recorded(
      musa::memcpy_2d_array_to_array_async(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc,
                                           width, height, kind, musaStreamPerThread)));
}

musaError_t musaGraphInstantiateWithParams_ptsz(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                                musaGraphInstantiateParams* instantiateParams) {
  if (instantiateParams == nullptr) {
    return musaGraphInstantiateWithParams(pGraphExec, graph, instantiateParams);
  }
  musaGraphInstantiateParams params = *instantiateParams;
  params.uploadStream = own(params.uploadStream);
  const musaError_t status = musaGraphInstantiateWithParams(pGraphExec, graph, &params);
  instantiateParams->errNode_out = params.errNode_out;
  instantiateParams->result_out = params.result_out;
  return status;
}
