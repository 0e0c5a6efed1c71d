// Capture: work submitted to a capturing stream becomes nodes of a graph.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "src/host/musa/graph/graph.h"

namespace musa {

struct Capture;

// A stream's part in a capture.
struct StreamCapture {
  std::shared_ptr<Capture> capture;
  int device = 0;
  bool is_blocking = false;
  std::vector<musaGraphNode_t> dependencies;  // of the next node
  std::vector<musaGraphEdgeData> edges;       // one per dependency, for callers that ask
};

struct Capture {
  unsigned long long id = 0;
  std::shared_ptr<Graph> graph;
  bool is_new_graph = true;
  musaStreamCaptureMode mode = musaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool is_invalid = false;
  bool has_ended = false;
  // The stream where the capture began comes first.
  std::vector<std::shared_ptr<StreamCapture>> streams;
};

// What an event stands for after it was recorded in a capturing stream.
struct CapturedRecord {
  std::shared_ptr<Capture> capture;
  std::vector<musaGraphNode_t> dependencies;
};

// The number of active captures. While it is 0, calls need no lock.
extern std::atomic<int> capture_count;
inline bool any_capture() { return capture_count.load() != 0; }

// The functions from here need the graph lock.

// The stream's part in an active capture, or null.
StreamCapture* part_of(const Stream& stream);
// The next node of the stream also depends on `added`.
void add_dependencies(StreamCapture* part, const std::vector<musaGraphNode_t>& added);
// The capture begins in this stream, after `dependencies`.
void begin_capture(const std::shared_ptr<Stream>& stream, std::shared_ptr<Capture> capture,
                   std::vector<musaGraphNode_t> dependencies);
// Returns the capture's graph. Streams and events that remember the capture no longer own it.
std::shared_ptr<Graph> end_capture(const std::shared_ptr<Capture>& capture);
bool is_legacy(const Stream& stream);
// Whether it is the legacy stream, and a blocking stream of its device captures.
bool is_captured_implicitly(const Stream& stream);
// Whether to capture work for the stream. Fails if its capture is invalid, or if it is the legacy
// stream while a blocking stream captures.
musaError_t check_capture(const std::shared_ptr<Stream>& stream, bool* captured);
// Makes the next node of a capturing stream.
musaError_t capture_body(const std::shared_ptr<Stream>& stream, Body body);
musaError_t capture_child(const std::shared_ptr<Stream>& stream, const Graph& child);
// For calls that are not allowed in a capture. They invalidate a capture in which the stream takes
// part.
musaError_t refuse_while_capturing(const Stream& stream);

// The functions from here take the lock themselves, if any capture is active.

musaError_t refuse_if_capturing(const Stream& stream);
// The same for calls about a whole device.
musaError_t refuse_if_device_captures(const Device& device);
// The mode of the calling thread (musaThreadExchangeStreamCaptureMode). Needs no lock.
musaStreamCaptureMode exchange_thread_mode(musaStreamCaptureMode mode);
// For calls that a capture does not see, although the captured work may depend on them.
musaError_t check_unsafe_call();
// For calls that work in the legacy stream and wait for it.
musaError_t check_synchronous_call(const Device& device);
// Called when the program destroys a stream.
void leave_capture(const Stream& stream);

// If the stream captures, makes a node from the body that `make` fills in.
template <typename Make>
musaError_t try_capture(const std::shared_ptr<Stream>& stream, bool* captured, Make&& make) {
  *captured = false;
  if (!any_capture()) return musaSuccess;
  const std::lock_guard lock(graph_mutex());
  MUSA_RETURN_IF_ERROR(check_capture(stream, captured));
  if (!*captured) return musaSuccess;
  Body body;
  MUSA_RETURN_IF_ERROR(make(&body));
  return capture_body(stream, std::move(body));
}

// musaMallocAsync and musaFreeAsync in a stream that captures.
musaError_t capture_allocation(Runtime& runtime, musaMemAllocNodeParams* params,
                               const std::shared_ptr<Stream>& stream, bool* captured);
musaError_t capture_free(Runtime& runtime, void* pointer, const std::shared_ptr<Stream>& stream,
                         bool* captured);

// Events. Sets `handled` if the stream captures or has joined a capture.
musaError_t capture_event_record(const std::shared_ptr<Event>& event, musaEvent_t handle,
                                 const std::shared_ptr<Stream>& stream, unsigned int flags,
                                 bool* handled);
musaError_t capture_event_wait(const std::shared_ptr<Event>& event, musaEvent_t handle,
                               const std::shared_ptr<Stream>& stream, unsigned int flags,
                               bool* handled);
// For calls about the completion of a recording. A captured recording never completes.
musaError_t check_not_captured(Event& event);

}  // namespace musa

// If `stream` captures, makes the calling function return the result.
#define MUSA_RETURN_IF_CAPTURED(stream, make)                                          \
  do {                                                                                 \
    bool captured_call = false;                                                        \
    const musaError_t status_of_capture = try_capture((stream), &captured_call, make); \
    if (captured_call || status_of_capture != musaSuccess) return status_of_capture;   \
  } while (false)
