#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaStreamIsCapturing(musaStream_t stream,
                                  enum musaStreamCaptureStatus* pCaptureStatus) {
  return recorded(musa::stream_is_capturing(stream, pCaptureStatus));
}

musaError_t musaThreadExchangeStreamCaptureMode(enum musaStreamCaptureMode* mode) {
  return recorded(musa::thread_exchange_stream_capture_mode(mode));
}

musaError_t musaStreamGetCaptureInfo(musaStream_t stream,
                                     enum musaStreamCaptureStatus* captureStatus_out,
                                     unsigned long long* id_out, musaGraph_t* graph_out,
                                     const musaGraphNode_t** dependencies_out,
                                     size_t* numDependencies_out) {
  return recorded(musa::stream_get_capture_info_v2(stream, captureStatus_out, id_out, graph_out,
                                                   dependencies_out, numDependencies_out));
}

musaError_t musaStreamGetCaptureInfo_v2(musaStream_t stream,
                                        enum musaStreamCaptureStatus* captureStatus_out,
                                        unsigned long long* id_out, musaGraph_t* graph_out,
                                        const musaGraphNode_t** dependencies_out,
                                        size_t* numDependencies_out) {
  return recorded(musa::stream_get_capture_info_v2(stream, captureStatus_out, id_out, graph_out,
                                                   dependencies_out, numDependencies_out));
}

musaError_t musaStreamBeginCapture(musaStream_t stream, enum musaStreamCaptureMode mode) {
  return recorded(musa::stream_begin_capture(stream, mode));
}

musaError_t musaStreamBeginCaptureToGraph(musaStream_t stream, musaGraph_t graph,
                                          const musaGraphNode_t* dependencies,
                                          const musaGraphEdgeData* dependencyData,
                                          size_t numDependencies, enum musaStreamCaptureMode mode) {
  return recorded(musa::stream_begin_capture_to_graph(stream, graph, dependencies, dependencyData,
                                                      numDependencies, mode));
}

musaError_t musaStreamEndCapture(musaStream_t stream, musaGraph_t* pGraph) {
  return recorded(musa::stream_end_capture(stream, pGraph));
}

musaError_t musaStreamGetCaptureInfo_v3(musaStream_t stream,
                                        enum musaStreamCaptureStatus* captureStatus_out,
                                        unsigned long long* id_out, musaGraph_t* graph_out,
                                        const musaGraphNode_t** dependencies_out,
                                        const musaGraphEdgeData** edgeData_out,
                                        size_t* numDependencies_out) {
  return recorded(musa::stream_get_capture_info_v3(stream, captureStatus_out, id_out, graph_out,
                                                   dependencies_out, edgeData_out,
                                                   numDependencies_out));
}

musaError_t musaStreamUpdateCaptureDependencies(musaStream_t stream, musaGraphNode_t* dependencies,
                                                size_t numDependencies, unsigned int flags) {
  return recorded(
      musa::stream_update_capture_dependencies(stream, dependencies, numDependencies, flags));
}

musaError_t musaStreamUpdateCaptureDependencies_v2(musaStream_t stream,
                                                   musaGraphNode_t* dependencies,
                                                   const musaGraphEdgeData* dependencyData,
                                                   size_t numDependencies, unsigned int flags) {
  return recorded(musa::stream_update_capture_dependencies_v2(stream, dependencies, dependencyData,
                                                              numDependencies, flags));
}
