// One spelling for functions that differ between CUDA majors.
#ifndef TORCHADA_TESTS_CONFORMANCE_MAJORS_H_
#define TORCHADA_TESTS_CONFORMANCE_MAJORS_H_

#include "tests/conformance/cuda.h"

// A device, or the host if it is cudaCpuDeviceId.
inline cudaMemLocation location(int device) {
  cudaMemLocation made{};
  // The enumerator for the host exists since CUDA 12.2. Its number is 2.
  made.type =
      device == cudaCpuDeviceId ? static_cast<cudaMemLocationType>(2) : cudaMemLocationTypeDevice;
  made.id = device == cudaCpuDeviceId ? 0 : device;
  return made;
}

// In CUDA 13 the plain names are the _v2 forms, which take a location.
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

// The function that fills the major's complete cudaDeviceProp.
inline cudaError_t properties_of(cudaDeviceProp* properties, int device) {
#if CUDA_MAJOR == 12
  return cudaGetDeviceProperties_v2(properties, device);
#else
  return cudaGetDeviceProperties(properties, device);
#endif
}

// Edges have data since CUDA 12, and in every function of CUDA 13. These tests use none.
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

// CUDA 11's plain form also takes an output for a bad node, which MUSA 5 lacks.
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
