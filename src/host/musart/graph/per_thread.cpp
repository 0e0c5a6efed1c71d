// Functions for programs with a default stream per thread. They differ only in the meaning of
// stream 0.
#include "src/host/musart/per_thread.h"

#include "musa_runtime_api.h"

using musart::own_stream;

musaError_t musaGraphInstantiateWithParams_ptsz(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                                musaGraphInstantiateParams* instantiateParams) {
  if (instantiateParams == nullptr) {
    return musaGraphInstantiateWithParams(pGraphExec, graph, instantiateParams);
  }
  musaGraphInstantiateParams params = *instantiateParams;
  params.uploadStream = own_stream(params.uploadStream);
  const musaError_t status = musaGraphInstantiateWithParams(pGraphExec, graph, &params);
  instantiateParams->errNode_out = params.errNode_out;
  instantiateParams->result_out = params.result_out;
  return status;
}

musaError_t musaGraphUpload_ptsz(musaGraphExec_t graphExec, musaStream_t stream) {
  return musaGraphUpload(graphExec, own_stream(stream));
}

musaError_t musaGraphLaunch_ptsz(musaGraphExec_t graphExec, musaStream_t stream) {
  return musaGraphLaunch(graphExec, own_stream(stream));
}

musaError_t musaStreamBeginCapture_ptsz(musaStream_t stream, enum musaStreamCaptureMode mode) {
  return musaStreamBeginCapture(own_stream(stream), mode);
}

musaError_t musaStreamBeginCaptureToGraph_ptsz(musaStream_t stream, musaGraph_t graph,
                                               const musaGraphNode_t* dependencies,
                                               const musaGraphEdgeData* dependencyData,
                                               size_t numDependencies,
                                               enum musaStreamCaptureMode mode) {
  return musaStreamBeginCaptureToGraph(own_stream(stream), graph, dependencies, dependencyData,
                                       numDependencies, mode);
}

musaError_t musaStreamEndCapture_ptsz(musaStream_t stream, musaGraph_t* pGraph) {
  return musaStreamEndCapture(own_stream(stream), pGraph);
}

musaError_t musaStreamGetCaptureInfo_ptsz(musaStream_t stream,
                                          enum musaStreamCaptureStatus* pCaptureStatus,
                                          unsigned long long* id_out, musaGraph_t* graph_out,
                                          const musaGraphNode_t** dependencies_out,
                                          size_t* numDependencies_out) {
  return musaStreamGetCaptureInfo(own_stream(stream), pCaptureStatus, id_out, graph_out,
                                  dependencies_out, numDependencies_out);
}

musaError_t musaStreamGetCaptureInfo_v2_ptsz(musaStream_t stream,
                                             enum musaStreamCaptureStatus* captureStatus_out,
                                             unsigned long long* id_out, musaGraph_t* graph_out,
                                             const musaGraphNode_t** dependencies_out,
                                             size_t* numDependencies_out) {
  return musaStreamGetCaptureInfo_v2(own_stream(stream), captureStatus_out, id_out, graph_out,
                                     dependencies_out, numDependencies_out);
}

musaError_t musaStreamGetCaptureInfo_v3_ptsz(musaStream_t stream,
                                             enum musaStreamCaptureStatus* captureStatus_out,
                                             unsigned long long* id_out, musaGraph_t* graph_out,
                                             const musaGraphNode_t** dependencies_out,
                                             const musaGraphEdgeData** edgeData_out,
                                             size_t* numDependencies_out) {
  return musaStreamGetCaptureInfo_v3(own_stream(stream), captureStatus_out, id_out, graph_out,
                                     dependencies_out, edgeData_out, numDependencies_out);
}

musaError_t musaStreamUpdateCaptureDependencies_ptsz(musaStream_t stream,
                                                     musaGraphNode_t* dependencies,
                                                     size_t numDependencies, unsigned int flags) {
  return musaStreamUpdateCaptureDependencies(own_stream(stream), dependencies, numDependencies,
                                             flags);
}

musaError_t musaStreamUpdateCaptureDependencies_v2_ptsz(musaStream_t stream,
                                                        musaGraphNode_t* dependencies,
                                                        const musaGraphEdgeData* dependencyData,
                                                        size_t numDependencies,
                                                        unsigned int flags) {
  return musaStreamUpdateCaptureDependencies_v2(own_stream(stream), dependencies, dependencyData,
                                                numDependencies, flags);
}

musaError_t musaStreamIsCapturing_ptsz(musaStream_t stream,
                                       enum musaStreamCaptureStatus* pCaptureStatus) {
  return musaStreamIsCapturing(own_stream(stream), pCaptureStatus);
}
