// What CUDA's majors spell differently, in one spelling.
#ifndef TORCHADA_TESTS_CONFORMANCE_MAJORS_H_
#define TORCHADA_TESTS_CONFORMANCE_MAJORS_H_

#include "cuda.h"

// A device, or the host if it is cudaCpuDeviceId.
inline cudaMemLocation location(int device) {
  cudaMemLocation made{};
  // The host has no name before CUDA 12.2; its number is 2.
  made.type =
      device == cudaCpuDeviceId ? static_cast<cudaMemLocationType>(2) : cudaMemLocationTypeDevice;
  made.id = device == cudaCpuDeviceId ? 0 : device;
  return made;
}

// CUDA 13 folds the _v2 forms, which take a location, into the plain names.
inline cudaError_t prefetch(const void* memory, size_t size, int device, cudaStream_t stream) {
#if CUDA_MAJOR >= 13
  return cudaMemPrefetchAsync(memory, size, location(device), 0, stream);
#else
  return cudaMemPrefetchAsync(memory, size, device, stream);
#endif
}

inline cudaError_t advise(const void* memory, size_t size, cudaMemoryAdvise advice, int device) {
#if CUDA_MAJOR >= 13
  return cudaMemAdvise(memory, size, advice, location(device));
#else
  return cudaMemAdvise(memory, size, advice, device);
#endif
}

// The one that fills the whole cudaDeviceProp of the major.
inline cudaError_t properties_of(cudaDeviceProp* properties, int device) {
#if CUDA_MAJOR == 12
  return cudaGetDeviceProperties_v2(properties, device);
#else
  return cudaGetDeviceProperties(properties, device);
#endif
}

// Edges carry data from CUDA 12 on, and in every function of CUDA 13; none here has any.
inline cudaError_t add_edges(cudaGraph_t graph, const cudaGraphNode_t* from,
                             const cudaGraphNode_t* to, size_t count) {
#if CUDA_MAJOR >= 13
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
#else
  return cudaGraphAddDependencies(graph, from, to, count);
#endif
}

inline cudaError_t remove_edges(cudaGraph_t graph, const cudaGraphNode_t* from,
                                const cudaGraphNode_t* to, size_t count) {
#if CUDA_MAJOR >= 13
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
#else
  return cudaGraphRemoveDependencies(graph, from, to, count);
#endif
}

inline cudaError_t edges_of(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                            size_t* count) {
#if CUDA_MAJOR >= 13
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
#else
  return cudaGraphGetEdges(graph, from, to, count);
#endif
}

inline cudaError_t nodes_before(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
#if CUDA_MAJOR >= 13
  return cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
#else
  return cudaGraphNodeGetDependencies(node, nodes, count);
#endif
}

inline cudaError_t nodes_after(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
#if CUDA_MAJOR >= 13
  return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
#else
  return cudaGraphNodeGetDependentNodes(node, nodes, count);
#endif
}

// CUDA 11's plain form takes where to report a bad node, which MUSA 5 has not.
inline cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph) {
#if CUDA_MAJOR == 11
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
#else
  return cudaGraphInstantiate(exec, graph, 0);
#endif
}

inline cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                unsigned long long* id) {
#if CUDA_MAJOR >= 13
  return cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
#else
  return cudaStreamGetCaptureInfo(stream, status, id);
#endif
}

#endif  // TORCHADA_TESTS_CONFORMANCE_MAJORS_H_
