// Captures of streams into graphs.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/edge_data.h"
#include "stubs/adapting/outcome.h"
#include "stubs/cuda/own_stream.h"
#include "stubs/cuda/runtime.h"

namespace {

using torchada::outcome;
using torchada::driver::by_runtime;
using torchada::driver::in_stream;
using torchada::driver::own_stream;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

// What cuStreamGetCaptureInfo_v3 points at; never written.
unsigned char plain_edges[torchada::kMostPlainEdges * cuda::sizeof_CUgraphEdgeData];

int is_capturing(const char* function, void* stream, int* status) {
  return in_stream({function, "musaStreamIsCapturing"}, stream,
                   [=] { return musaStreamIsCapturing(stream, status); });
}

int capture_info(const char* function, void* stream, int* status, unsigned long long* id,
                 void** graph, const void*** nodes, size_t* count) {
  return in_stream({function, "musaStreamGetCaptureInfo_v2"}, stream, [=] {
    return musaStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
  });
}

int capture_info_with_edges(const char* function, void* stream, int* status, unsigned long long* id,
                            void** graph, const void*** nodes, const void** edges, size_t* count) {
  size_t dependencies = 0;
  if (edges) {
    // Before anything is written: is there edge data for this many dependencies?
    int ignored = 0;
    if (const int failed =
            capture_info(function, stream, &ignored, nullptr, nullptr, nullptr, &dependencies)) {
      return failed;
    }
    if (dependencies > torchada::kMostPlainEdges) {
      return torchada::refuse_edge_count(function, dependencies, torchada::kUnsupported);
    }
  }
  const int failed = capture_info(function, stream, status, id, graph, nodes, count);
  if (failed == 0 && edges) *edges = dependencies != 0 ? plain_edges : nullptr;
  return failed;
}

int update(const char* function, void* stream, void** nodes, size_t count, unsigned flags) {
  return in_stream({function, "musaStreamUpdateCaptureDependencies"}, stream, [=] {
    return musaStreamUpdateCaptureDependencies(stream, nodes, count, flags);
  });
}

int update_with_edges(const char* function, void* stream, void** nodes, const void* edges,
                      size_t count, unsigned flags) {
  if (const int status = torchada::refuse_edge_data(
          function, edges, count * cuda::sizeof_CUgraphEdgeData, torchada::kUnsupported)) {
    return status;
  }
  return update(function, stream, nodes, count, flags);
}

int begin(const char* function, void* stream) {
  return outcome({function, "muStreamBeginCapture_v2"},
                 muStreamBeginCapture_v2(stream, musa::MU_STREAM_CAPTURE_MODE_GLOBAL));
}

}  // namespace

extern "C" {

int torchada_adapter_cuStreamIsCapturing(void* stream, int* status) {
  return is_capturing("cuStreamIsCapturing", stream, status);
}

int torchada_adapter_cuStreamIsCapturing_ptsz(void* stream, int* status) {
  return is_capturing("cuStreamIsCapturing_ptsz", own_stream(stream), status);
}

int torchada_adapter_cuStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id) {
  return capture_info("cuStreamGetCaptureInfo", stream, status, id, nullptr, nullptr, nullptr);
}

int torchada_adapter_cuStreamGetCaptureInfo_ptsz(void* stream, int* status,
                                                 unsigned long long* id) {
  return capture_info("cuStreamGetCaptureInfo_ptsz", own_stream(stream), status, id, nullptr,
                      nullptr, nullptr);
}

int torchada_adapter_cuStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id,
                                               void** graph, const void*** nodes, size_t* count) {
  return capture_info("cuStreamGetCaptureInfo_v2", stream, status, id, graph, nodes, count);
}

int torchada_adapter_cuStreamGetCaptureInfo_v2_ptsz(void* stream, int* status,
                                                    unsigned long long* id, void** graph,
                                                    const void*** nodes, size_t* count) {
  return capture_info("cuStreamGetCaptureInfo_v2_ptsz", own_stream(stream), status, id, graph,
                      nodes, count);
}

int torchada_adapter_cuStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id,
                                               void** graph, const void*** nodes,
                                               const void** edges, size_t* count) {
  return capture_info_with_edges("cuStreamGetCaptureInfo_v3", stream, status, id, graph, nodes,
                                 edges, count);
}

int torchada_adapter_cuStreamGetCaptureInfo_v3_ptsz(void* stream, int* status,
                                                    unsigned long long* id, void** graph,
                                                    const void*** nodes, const void** edges,
                                                    size_t* count) {
  return capture_info_with_edges("cuStreamGetCaptureInfo_v3_ptsz", own_stream(stream), status, id,
                                 graph, nodes, edges, count);
}

int torchada_adapter_cuStreamUpdateCaptureDependencies(void* stream, void** nodes, size_t count,
                                                       unsigned flags) {
  return update("cuStreamUpdateCaptureDependencies", stream, nodes, count, flags);
}

int torchada_adapter_cuStreamUpdateCaptureDependencies_ptsz(void* stream, void** nodes,
                                                            size_t count, unsigned flags) {
  return update("cuStreamUpdateCaptureDependencies_ptsz", own_stream(stream), nodes, count, flags);
}

int torchada_adapter_cuStreamUpdateCaptureDependencies_v2(void* stream, void** nodes,
                                                          const void* edges, size_t count,
                                                          unsigned flags) {
  return update_with_edges("cuStreamUpdateCaptureDependencies_v2", stream, nodes, edges, count,
                           flags);
}

int torchada_adapter_cuStreamUpdateCaptureDependencies_v2_ptsz(void* stream, void** nodes,
                                                               const void* edges, size_t count,
                                                               unsigned flags) {
  return update_with_edges("cuStreamUpdateCaptureDependencies_v2_ptsz", own_stream(stream), nodes,
                           edges, count, flags);
}

int torchada_adapter_cuThreadExchangeStreamCaptureMode(int* mode) {
  return by_runtime({"cuThreadExchangeStreamCaptureMode", "musaThreadExchangeStreamCaptureMode"},
                    [=] { return musaThreadExchangeStreamCaptureMode(mode); });
}

int torchada_adapter_cuStreamBeginCapture(void* stream) {
  return begin("cuStreamBeginCapture", stream);
}

int torchada_adapter_cuStreamBeginCapture_ptsz(void* stream) {
  return begin("cuStreamBeginCapture_ptsz", own_stream(stream));
}

}  // extern "C"
