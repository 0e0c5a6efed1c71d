// What a program calls when it is compiled with a default stream per thread: stream 0 is then the
// calling thread's own stream, and calls without a stream use it.
//
// Names: MooreThreads/kineto:libkineto/src/mupti_strings.cpp (callback ids).
// Assumed: the prototypes are those of the functions without the suffix, so they are declared as
// that.
#pragma once

#include "musa_runtime_api.h"

#if defined(__cplusplus)
extern "C" {
#endif

MUSARTAPI __typeof__(musaEventRecordWithFlags) musaEventRecordWithFlags_ptsz;
MUSARTAPI __typeof__(musaEventRecord) musaEventRecord_ptsz;
MUSARTAPI __typeof__(musaFreeAsync) musaFreeAsync_ptsz;
MUSARTAPI __typeof__(musaGraphInstantiateWithParams) musaGraphInstantiateWithParams_ptsz;
MUSARTAPI __typeof__(musaGraphLaunch) musaGraphLaunch_ptsz;
MUSARTAPI __typeof__(musaGraphUpload) musaGraphUpload_ptsz;
MUSARTAPI __typeof__(musaLaunchCooperativeKernel) musaLaunchCooperativeKernel_ptsz;
MUSARTAPI __typeof__(musaLaunchHostFunc) musaLaunchHostFunc_ptsz;
MUSARTAPI __typeof__(musaLaunchKernelExC) musaLaunchKernelExC_ptsz;
MUSARTAPI __typeof__(musaLaunchKernel) musaLaunchKernel_ptsz;
MUSARTAPI __typeof__(musaMallocAsync) musaMallocAsync_ptsz;
MUSARTAPI __typeof__(musaMallocFromPoolAsync) musaMallocFromPoolAsync_ptsz;
MUSARTAPI __typeof__(musaMemPrefetchAsync) musaMemPrefetchAsync_ptsz;
MUSARTAPI __typeof__(musaMemPrefetchAsync_v2) musaMemPrefetchAsync_v2_ptsz;
MUSARTAPI __typeof__(musaMemcpy2DArrayToArray) musaMemcpy2DArrayToArray_ptds;
MUSARTAPI __typeof__(musaMemcpy2DAsync) musaMemcpy2DAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpy2DFromArrayAsync) musaMemcpy2DFromArrayAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpy2DFromArray) musaMemcpy2DFromArray_ptds;
MUSARTAPI __typeof__(musaMemcpy2DToArrayAsync) musaMemcpy2DToArrayAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpy2DToArray) musaMemcpy2DToArray_ptds;
MUSARTAPI __typeof__(musaMemcpy2D) musaMemcpy2D_ptds;
MUSARTAPI __typeof__(musaMemcpy3DAsync) musaMemcpy3DAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpy3DBatchAsync) musaMemcpy3DBatchAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpy3DPeerAsync) musaMemcpy3DPeerAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpy3DPeer) musaMemcpy3DPeer_ptds;
MUSARTAPI __typeof__(musaMemcpy3D) musaMemcpy3D_ptds;
MUSARTAPI __typeof__(musaMemcpyAsync) musaMemcpyAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpyBatchAsync) musaMemcpyBatchAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpyFromSymbolAsync) musaMemcpyFromSymbolAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpyFromSymbol) musaMemcpyFromSymbol_ptds;
MUSARTAPI __typeof__(musaMemcpyToSymbolAsync) musaMemcpyToSymbolAsync_ptsz;
MUSARTAPI __typeof__(musaMemcpyToSymbol) musaMemcpyToSymbol_ptds;
MUSARTAPI __typeof__(musaMemcpy) musaMemcpy_ptds;
MUSARTAPI __typeof__(musaMemset2DAsync) musaMemset2DAsync_ptsz;
MUSARTAPI __typeof__(musaMemset2D) musaMemset2D_ptds;
MUSARTAPI __typeof__(musaMemset3DAsync) musaMemset3DAsync_ptsz;
MUSARTAPI __typeof__(musaMemset3D) musaMemset3D_ptds;
MUSARTAPI __typeof__(musaMemsetAsync) musaMemsetAsync_ptsz;
MUSARTAPI __typeof__(musaMemset) musaMemset_ptds;
MUSARTAPI __typeof__(musaStreamAddCallback) musaStreamAddCallback_ptsz;
MUSARTAPI __typeof__(musaStreamAttachMemAsync) musaStreamAttachMemAsync_ptsz;
MUSARTAPI __typeof__(musaStreamBeginCaptureToGraph) musaStreamBeginCaptureToGraph_ptsz;
MUSARTAPI __typeof__(musaStreamBeginCapture) musaStreamBeginCapture_ptsz;
MUSARTAPI __typeof__(musaStreamCopyAttributes) musaStreamCopyAttributes_ptsz;
MUSARTAPI __typeof__(musaStreamEndCapture) musaStreamEndCapture_ptsz;
MUSARTAPI __typeof__(musaStreamGetAttribute) musaStreamGetAttribute_ptsz;
MUSARTAPI __typeof__(musaStreamGetCaptureInfo_v2) musaStreamGetCaptureInfo_v2_ptsz;
MUSARTAPI __typeof__(musaStreamGetCaptureInfo_v3) musaStreamGetCaptureInfo_v3_ptsz;
MUSARTAPI __typeof__(musaStreamGetDevice) musaStreamGetDevice_ptsz;
MUSARTAPI __typeof__(musaStreamGetFlags) musaStreamGetFlags_ptsz;
MUSARTAPI __typeof__(musaStreamGetId) musaStreamGetId_ptsz;
MUSARTAPI __typeof__(musaStreamGetPriority) musaStreamGetPriority_ptsz;
MUSARTAPI __typeof__(musaStreamIsCapturing) musaStreamIsCapturing_ptsz;
MUSARTAPI __typeof__(musaStreamQuery) musaStreamQuery_ptsz;
MUSARTAPI __typeof__(musaStreamSetAttribute) musaStreamSetAttribute_ptsz;
MUSARTAPI __typeof__(musaStreamSynchronize) musaStreamSynchronize_ptsz;
MUSARTAPI __typeof__(musaStreamUpdateCaptureDependencies) musaStreamUpdateCaptureDependencies_ptsz;
MUSARTAPI __typeof__(musaStreamUpdateCaptureDependencies_v2)
    musaStreamUpdateCaptureDependencies_v2_ptsz;
MUSARTAPI __typeof__(musaStreamWaitEvent) musaStreamWaitEvent_ptsz;

#if defined(__cplusplus)
}
#endif
