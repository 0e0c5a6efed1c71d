// Capture: while a stream captures, what is submitted to it becomes nodes of a graph.
#ifndef TORCHADA_HOST_MUSART_GRAPH_CAPTURE_H_
#define TORCHADA_HOST_MUSART_GRAPH_CAPTURE_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "graph.h"

namespace musart {

struct Capture;

// A stream's part in a capture.
struct StreamCapture {
  std::shared_ptr<Capture> capture;
  int device = 0;
  bool is_blocking = false;
  std::vector<musaGraphNode_t> dependencies;  // of the next node
  std::vector<musaGraphEdgeData> edges;       // as many, for those who ask
};

struct Capture {
  unsigned long long id = 0;
  std::shared_ptr<Graph> graph;
  bool is_new_graph = true;
  musaStreamCaptureMode mode = musaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool is_invalid = false;
  bool has_ended = false;
  // The stream it began in comes first.
  std::vector<std::shared_ptr<StreamCapture>> streams;
};

// What an event stands for after it was recorded in a capturing stream.
struct CapturedRecord {
  std::shared_ptr<Capture> capture;
  std::vector<musaGraphNode_t> dependencies;
};

// Captures under way, so that calls cost nothing while there are none.
extern std::atomic<int> capture_count;
inline bool any_capture() { return capture_count.load() != 0; }

// These need the graph lock.

// Whether work for the stream is to be captured. An error if its capture is invalid, or if it is
// the legacy stream while a blocking stream captures.
musaError_t check_capture(const std::shared_ptr<Stream>& stream, bool* captured);
// Makes the next node of a stream that captures.
musaError_t capture_body(const std::shared_ptr<Stream>& stream, Body body);
musaError_t capture_child(const std::shared_ptr<Stream>& stream, const Graph& child);
// For calls that have no place in a capture: they spoil one that the stream takes part in.
musaError_t refuse_while_capturing(const Stream& stream);

// These take it, if there is any capture at all.

musaError_t refuse_if_capturing(const Stream& stream);
// The same for calls that concern a whole device.
musaError_t refuse_if_device_captures(const Device& device);
// For calls that a capture would not notice, although what is captured may depend on them.
musaError_t check_unsafe_call();
// For calls that work in the legacy stream and wait for it.
musaError_t check_synchronous_call(const Device& device);
// A stream was destroyed by the program.
void leave_capture(const Stream& stream);

// If the stream captures, makes a node with what `make` puts into its argument.
template <typename Make>
musaError_t try_capture(const std::shared_ptr<Stream>& stream, bool* captured, Make&& make) {
  *captured = false;
  if (!any_capture()) return musaSuccess;
  const std::lock_guard lock(graph_mutex());
  MUSART_RETURN_IF_ERROR(check_capture(stream, captured));
  if (!*captured) return musaSuccess;
  Body body;
  MUSART_RETURN_IF_ERROR(make(&body));
  return capture_body(stream, std::move(body));
}

// musaMallocAsync and musaFreeAsync in a stream that captures.
musaError_t capture_allocation(Runtime& runtime, musaMemAllocNodeParams* params,
                               const std::shared_ptr<Stream>& stream, bool* captured);
musaError_t capture_free(Runtime& runtime, void* pointer, const std::shared_ptr<Stream>& stream,
                         bool* captured);

// Events. `handled` says that the stream captures or joined a capture.
musaError_t capture_event_record(const std::shared_ptr<Event>& event, musaEvent_t handle,
                                 const std::shared_ptr<Stream>& stream, unsigned int flags,
                                 bool* handled);
musaError_t capture_event_wait(const std::shared_ptr<Event>& event, musaEvent_t handle,
                               const std::shared_ptr<Stream>& stream, unsigned int flags,
                               bool* handled);
// For calls about the outcome of a recording, which a captured one has not.
musaError_t check_not_captured(Event& event);

}  // namespace musart

// Ends the calling function with what came of it if `stream` captures.
#define MUSART_RETURN_IF_CAPTURED(stream, make)                                        \
  do {                                                                                 \
    bool captured_call = false;                                                        \
    const musaError_t status_of_capture = try_capture((stream), &captured_call, make); \
    if (captured_call || status_of_capture != musaSuccess) return status_of_capture;   \
  } while (false)

#endif  // TORCHADA_HOST_MUSART_GRAPH_CAPTURE_H_
