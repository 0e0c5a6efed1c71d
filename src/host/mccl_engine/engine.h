// The interface between libmccl and its engine, which moves bytes between hosts with gloo. The
// engine is a separate library: without gloo, libmccl still serves the ranks of one host.
#ifndef TORCHADA_HOST_MCCL_ENGINE_H_
#define TORCHADA_HOST_MCCL_ENGINE_H_

#include <stddef.h>
#include <stdint.h>

#define MCCL_ENGINE_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MCCLEngine MCCLEngine;
typedef struct MCCLEngineFlow MCCLEngineFlow;

// Functions that fail write the reason to `error` and return null or 0. None throws.
typedef struct {
  uint32_t version;

  // `address` is an address of this host.
  MCCLEngine* (*open)(int rank, int ranks, const char* address, char* error, size_t error_size);
  // Writes the address where `peer` can connect. Returns its size, at most `size`.
  size_t (*address)(MCCLEngine* engine, int peer, void* bytes, size_t size, char* error,
                    size_t error_size);
  int (*connect)(MCCLEngine* engine, int peer, const void* bytes, size_t size, char* error,
                 size_t error_size);

  // Ends a connect() to this peer that is waiting in another thread.
  void (*cancel)(MCCLEngine* engine, int peer);

  // One direction of a numbered stream between this rank and a peer, through `buffer`.
  MCCLEngineFlow* (*flow)(MCCLEngine* engine, int peer, uint64_t number, void* buffer, size_t size);
  // Wait until the first `size` bytes of the buffer are on their way, or until the data from the
  // peer is in the buffer. 0: the peer is gone, or the flow was stopped.
  int (*send)(MCCLEngineFlow* flow, size_t size);
  int (*receive)(MCCLEngineFlow* flow);
  // Ends a call that is waiting in another thread, and all later calls.
  void (*stop)(MCCLEngineFlow* flow);
  void (*close_flow)(MCCLEngineFlow* flow);

  // Call this after all flows are closed.
  void (*close)(MCCLEngine* engine);
} MCCLEngineCalls;

#define MCCL_ENGINE_ENTRY "mccl_engine_calls"
__attribute__((visibility("default"))) const MCCLEngineCalls* mccl_engine_calls(void);

#ifdef __cplusplus
}
#endif

#endif  // TORCHADA_HOST_MCCL_ENGINE_H_
