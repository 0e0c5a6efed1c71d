// Functions with edge data (CUDA 12's _v2 and _v3, CUDA 13's plain names) on SDKs without it. All
// edges are plain there, so data that says so is dropped on the way in and written on the way out.
#include "stubs/adapting/edge_data.h"

#include <stddef.h>
#include <string.h>

#include "stubs/cudart/answers.h"

#if TORCHADA_ABI >= 12
using namespace torchada;

namespace {

constexpr size_t kEdgeBytes = cuda::sizeof_cudaGraphEdgeData;

// What cudaStreamGetCaptureInfo points at; never written. A capture with more dependencies is
// refused.
unsigned char plain_edges[kMostPlainEdges * kEdgeBytes];

int refuse_data(const char* function, const void* edges, size_t count) {
  return refuse_edge_data(function, edges, count * kEdgeBytes, kNotSupported);
}

int add(const char* function, void* graph, const void** from, const void** to, const void* edges,
        size_t count) {
  if (const int status = refuse_data(function, edges, count)) return status;
  return told(musaGraphAddDependencies(graph, from, to, count));
}

int remove(const char* function, void* graph, const void** from, const void** to, const void* edges,
           size_t count) {
  if (const int status = refuse_data(function, edges, count)) return status;
  return told(musaGraphRemoveDependencies(graph, from, to, count));
}

// `*count` is the capacity of the arrays before the call and the number of edges after it.
template <typename Ask>
int with_plain_edges(void* edges, size_t* count, Ask ask) {
  const size_t room = edges && count ? *count : 0;
  const int status = told(ask());
  if (status == 0 && room != 0) memset(edges, 0, room * kEdgeBytes);
  return status;
}

int get_edges(void* graph, void** from, void** to, void* edges, size_t* count) {
  return with_plain_edges(from && to ? edges : nullptr, count,
                          [=] { return musaGraphGetEdges(graph, from, to, count); });
}

int get_before(void* node, void** nodes, void* edges, size_t* count) {
  return with_plain_edges(nodes ? edges : nullptr, count,
                          [=] { return musaGraphNodeGetDependencies(node, nodes, count); });
}

int get_after(void* node, void** nodes, void* edges, size_t* count) {
  return with_plain_edges(nodes ? edges : nullptr, count,
                          [=] { return musaGraphNodeGetDependentNodes(node, nodes, count); });
}

int update(const char* function, void* stream, void** nodes, const void* edges, size_t count,
           unsigned flags) {
  if (const int status = refuse_data(function, edges, count)) return status;
  return told(musaStreamUpdateCaptureDependencies(stream, nodes, count, flags));
}

int capture_info(const char* function, void* stream, int* state, unsigned long long* id,
                 void** graph, void* nodes, const void** edges, size_t* count) {
  auto* dependencies = static_cast<const void***>(nodes);
  if (!edges)
    return told(musaStreamGetCaptureInfo_v2(stream, state, id, graph, dependencies, count));
  // Before anything is written: is there edge data for this many dependencies?
  int told_state = 0;
  size_t told_count = 0;
  const int status = told(
      musaStreamGetCaptureInfo_v2(stream, &told_state, nullptr, nullptr, nullptr, &told_count));
  if (status != 0) return status;
  if (told_count > kMostPlainEdges) return refuse_edge_count(function, told_count, kNotSupported);
  const int told_all =
      told(musaStreamGetCaptureInfo_v2(stream, state, id, graph, dependencies, count));
  if (told_all == 0 && told_count != 0) *edges = plain_edges;
  return told_all;
}

}  // namespace

#if TORCHADA_ABI == 12
#define TORCHADA_V2(name) torchada_adapter_cuda##name##_v2
#define TORCHADA_V3(name) torchada_adapter_cuda##name##_v3
#define TORCHADA_TEXT_V2(name) "cuda" #name "_v2"
#define TORCHADA_TEXT_V3(name) "cuda" #name "_v3"
#else
#define TORCHADA_V2(name) torchada_adapter_cuda##name
#define TORCHADA_V3(name) torchada_adapter_cuda##name
#define TORCHADA_TEXT_V2(name) "cuda" #name
#define TORCHADA_TEXT_V3(name) "cuda" #name
#endif

extern "C" {

int TORCHADA_V2(GraphAddDependencies)(void* graph, const void** from, const void** to,
                                      const void* edges, size_t count) {
  return add(TORCHADA_TEXT_V2(GraphAddDependencies), graph, from, to, edges, count);
}

int TORCHADA_V2(GraphRemoveDependencies)(void* graph, const void** from, const void** to,
                                         const void* edges, size_t count) {
  return remove(TORCHADA_TEXT_V2(GraphRemoveDependencies), graph, from, to, edges, count);
}

int TORCHADA_V2(GraphGetEdges)(void* graph, void** from, void** to, void* edges, size_t* count) {
  return get_edges(graph, from, to, edges, count);
}

int TORCHADA_V2(GraphNodeGetDependencies)(void* node, void** nodes, void* edges, size_t* count) {
  return get_before(node, nodes, edges, count);
}

int TORCHADA_V2(GraphNodeGetDependentNodes)(void* node, void** nodes, void* edges, size_t* count) {
  return get_after(node, nodes, edges, count);
}

int TORCHADA_V2(StreamUpdateCaptureDependencies)(void* stream, void** nodes, const void* edges,
                                                 size_t count, unsigned flags) {
  return update(TORCHADA_TEXT_V2(StreamUpdateCaptureDependencies), stream, nodes, edges, count,
                flags);
}

int TORCHADA_V3(StreamGetCaptureInfo)(void* stream, int* state, unsigned long long* id,
                                      void** graph, void* nodes, const void** edges,
                                      size_t* count) {
  return capture_info(TORCHADA_TEXT_V3(StreamGetCaptureInfo), stream, state, id, graph, nodes,
                      edges, count);
}

}  // extern "C"
#endif
