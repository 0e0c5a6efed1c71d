// Functions of programs whose default stream is the one of each thread: the same, but for what
// stream 0 means.
#include "musa_runtime_api.h"

namespace {

musaStream_t named(musaStream_t stream) { return stream == nullptr ? musaStreamPerThread : stream; }

}  // namespace

musaError_t musaGraphInstantiateWithParams_ptsz(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                                musaGraphInstantiateParams* instantiateParams) {
  if (instantiateParams == nullptr) {
    return musaGraphInstantiateWithParams(pGraphExec, graph, instantiateParams);
  }
  musaGraphInstantiateParams params = *instantiateParams;
  params.uploadStream = named(params.uploadStream);
  const musaError_t status = musaGraphInstantiateWithParams(pGraphExec, graph, &params);
  instantiateParams->errNode_out = params.errNode_out;
  instantiateParams->result_out = params.result_out;
  return status;
}

musaError_t musaGraphUpload_ptsz(musaGraphExec_t graphExec, musaStream_t stream) {
  return musaGraphUpload(graphExec, named(stream));
}

musaError_t musaGraphLaunch_ptsz(musaGraphExec_t graphExec, musaStream_t stream) {
  return musaGraphLaunch(graphExec, named(stream));
}

musaError_t musaStreamBeginCapture_ptsz(musaStream_t stream, enum musaStreamCaptureMode mode) {
  return musaStreamBeginCapture(named(stream), mode);
}

musaError_t musaStreamBeginCaptureToGraph_ptsz(musaStream_t stream, musaGraph_t graph,
                                               const musaGraphNode_t* dependencies,
                                               const musaGraphEdgeData* dependencyData,
                                               size_t numDependencies,
                                               enum musaStreamCaptureMode mode) {
  return musaStreamBeginCaptureToGraph(named(stream), graph, dependencies, dependencyData,
                                       numDependencies, mode);
}

musaError_t musaStreamEndCapture_ptsz(musaStream_t stream, musaGraph_t* pGraph) {
  return musaStreamEndCapture(named(stream), pGraph);
}

musaError_t musaStreamGetCaptureInfo_ptsz(musaStream_t stream,
                                          enum musaStreamCaptureStatus* pCaptureStatus,
                                          unsigned long long* id_out, musaGraph_t* graph_out,
                                          const musaGraphNode_t** dependencies_out,
                                          size_t* numDependencies_out) {
  return musaStreamGetCaptureInfo(named(stream), pCaptureStatus, id_out, graph_out,
                                  dependencies_out, numDependencies_out);
}

musaError_t musaStreamGetCaptureInfo_v2_ptsz(musaStream_t stream,
                                             enum musaStreamCaptureStatus* captureStatus_out,
                                             unsigned long long* id_out, musaGraph_t* graph_out,
                                             const musaGraphNode_t** dependencies_out,
                                             size_t* numDependencies_out) {
  return musaStreamGetCaptureInfo_v2(named(stream), captureStatus_out, id_out, graph_out,
                                     dependencies_out, numDependencies_out);
}

musaError_t musaStreamGetCaptureInfo_v3_ptsz(musaStream_t stream,
                                             enum musaStreamCaptureStatus* captureStatus_out,
                                             unsigned long long* id_out, musaGraph_t* graph_out,
                                             const musaGraphNode_t** dependencies_out,
                                             const musaGraphEdgeData** edgeData_out,
                                             size_t* numDependencies_out) {
  return musaStreamGetCaptureInfo_v3(named(stream), captureStatus_out, id_out, graph_out,
                                     dependencies_out, edgeData_out, numDependencies_out);
}

musaError_t musaStreamUpdateCaptureDependencies_ptsz(musaStream_t stream,
                                                     musaGraphNode_t* dependencies,
                                                     size_t numDependencies, unsigned int flags) {
  return musaStreamUpdateCaptureDependencies(named(stream), dependencies, numDependencies, flags);
}

musaError_t musaStreamUpdateCaptureDependencies_v2_ptsz(musaStream_t stream,
                                                        musaGraphNode_t* dependencies,
                                                        const musaGraphEdgeData* dependencyData,
                                                        size_t numDependencies,
                                                        unsigned int flags) {
  return musaStreamUpdateCaptureDependencies_v2(named(stream), dependencies, dependencyData,
                                                numDependencies, flags);
}

musaError_t musaStreamIsCapturing_ptsz(musaStream_t stream,
                                       enum musaStreamCaptureStatus* pCaptureStatus) {
  return musaStreamIsCapturing(named(stream), pCaptureStatus);
}
