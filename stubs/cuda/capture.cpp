// Captures of streams into graphs.
#include <stddef.h>

#include "facts.h"
#include "stubs/adapting/edge_data.h"
#include "stubs/cuda/runtime.h"

namespace {

using torchada::driver::in_stream;
namespace cuda = torchada::cuda;

// What cuStreamGetCaptureInfo_v3 points at; never written.
unsigned char plain_edges[torchada::kMostPlainEdges * cuda::sizeof_CUgraphEdgeData];

int capture_info(const char* function, void* stream, int* status, unsigned long long* id,
                 void** graph, const void*** nodes, size_t* count) {
  return in_stream({function, "musaStreamGetCaptureInfo_v2"}, stream, [=] {
    return musaStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
  });
}

int update(const char* function, void* stream, void** nodes, size_t count, unsigned flags) {
  return in_stream({function, "musaStreamUpdateCaptureDependencies"}, stream, [=] {
    return musaStreamUpdateCaptureDependencies(stream, nodes, count, flags);
  });
}

}  // namespace

extern "C" {

int torchada_adapter_cuStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id,
                                               void** graph, const void*** nodes,
                                               const void** edges, size_t* count) {
  size_t dependencies = 0;
  if (edges) {
    // Before anything is written: is there edge data for this many dependencies?
    int ignored = 0;
    if (const int failed = capture_info("cuStreamGetCaptureInfo_v3", stream, &ignored, nullptr,
                                        nullptr, nullptr, &dependencies)) {
      return failed;
    }
    if (dependencies > torchada::kMostPlainEdges) {
      return torchada::refuse_edge_count("cuStreamGetCaptureInfo_v3", dependencies,
                                         torchada::kUnsupported);
    }
  }
  const int failed =
      capture_info("cuStreamGetCaptureInfo_v3", stream, status, id, graph, nodes, count);
  if (failed == 0 && edges) *edges = dependencies != 0 ? plain_edges : nullptr;
  return failed;
}

int torchada_adapter_cuStreamUpdateCaptureDependencies_v2(void* stream, void** nodes,
                                                          const void* edges, size_t count,
                                                          unsigned flags) {
  if (const int status = torchada::refuse_edge_data("cuStreamUpdateCaptureDependencies_v2", edges,
                                                    count * cuda::sizeof_CUgraphEdgeData,
                                                    torchada::kUnsupported)) {
    return status;
  }
  return update("cuStreamUpdateCaptureDependencies_v2", stream, nodes, count, flags);
}

}  // extern "C"
