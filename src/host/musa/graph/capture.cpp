#include "src/host/musa/graph/capture.h"

#include <algorithm>
#include <unordered_set>

#include "src/host/musa/event.h"
#include "src/host/musa/handles.h"
#include "src/host/musa/operations.h"
#include "src/host/shared/forward.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {

std::atomic<int> capture_count{0};

namespace {

thread_local musaStreamCaptureMode thread_mode = musaStreamCaptureModeGlobal;

std::vector<std::shared_ptr<Capture>>& captures() {
  return host::never_destroyed<std::vector<std::shared_ptr<Capture>>>();
}

bool is_blocking_part(const StreamCapture& part, int device) {
  return part.is_blocking && part.device == device;
}

// Whether a blocking stream of the device captures. `spoil` invalidates those captures.
bool has_blocking_capture(int device, bool spoil) {
  bool found = false;
  for (const auto& capture : captures()) {
    const bool concerned = std::ranges::any_of(
        capture->streams, [&](const auto& part) { return is_blocking_part(*part, device); });
    found = found || concerned;
    if (concerned && spoil) capture->is_invalid = true;
  }
  return found;
}

bool is_legacy(const Stream& stream) {
  return &stream == Runtime::get().device(stream.device())->legacy_stream().get();
}

void join(const std::shared_ptr<Stream>& stream, const std::shared_ptr<Capture>& capture,
          std::vector<musaGraphNode_t> dependencies) {
  auto part = std::make_shared<StreamCapture>();
  part->capture = capture;
  part->device = stream->device();
  part->is_blocking = stream->is_blocking();
  part->dependencies = std::move(dependencies);
  capture->streams.push_back(part);
  stream->capture = std::move(part);
}

// Ends the capture and returns its graph. Streams and events that remember the capture no longer
// own it.
std::shared_ptr<Graph> end(const std::shared_ptr<Capture>& capture) {
  capture->has_ended = true;
  auto graph = std::move(capture->graph);
  --graph->captures;
  // Each stream notices by has_ended.
  capture->streams.clear();
  std::erase(captures(), capture);
  capture_count.store(static_cast<int>(captures().size()));
  return graph;
}

// The stream's part in an active capture, or null.
StreamCapture* part_of(const Stream& stream) {
  StreamCapture* part = stream.capture.get();
  return part == nullptr || part->capture->has_ended ? nullptr : part;
}

// Whether the work of all other streams comes before the next work of the first stream.
bool is_joined(const Capture& capture) {
  std::vector<const Node*> open;
  std::unordered_set<const Node*> reached;
  const auto reach = [&](const Node* node) {
    if (node != nullptr && reached.insert(node).second) open.push_back(node);
  };
  for (const auto handle : capture.streams.front()->dependencies) {
    reach(nodes().find(handle).get());
  }
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    for (const Node* dependency : node->dependencies) reach(dependency);
  }
  return std::ranges::all_of(capture.streams, [&](const auto& part) {
    return std::ranges::all_of(part->dependencies, [&](musaGraphNode_t handle) {
      const auto node = nodes().find(handle);
      return node == nullptr || reached.contains(node.get());
    });
  });
}

// The dependencies that still exist.
NodeList dependencies_of(const StreamCapture& part) {
  NodeList found;
  for (const auto handle : part.dependencies) {
    if (auto node = nodes().find(handle)) found.push_back(std::move(node));
  }
  return found;
}

void add_dependencies(StreamCapture* part, const std::vector<musaGraphNode_t>& added) {
  for (const auto handle : added) {
    if (std::ranges::find(part->dependencies, handle) == part->dependencies.end()) {
      part->dependencies.push_back(handle);
    }
  }
}

musaError_t begin(musaStream_t handle, musaStreamCaptureMode mode, const musaGraph_t* into,
                  const musaGraphNode_t* dependencies, const musaGraphEdgeData* edges,
                  size_t count) {
  return with_graphs([&](Runtime& runtime) {
    if (mode < musaStreamCaptureModeGlobal || mode > musaStreamCaptureModeRelaxed) {
      return musaErrorInvalidValue;
    }
    const auto stream = resolve_stream(runtime, handle);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    if (is_legacy(*stream)) return musaErrorStreamCaptureUnsupported;
    if (part_of(*stream) != nullptr) return musaErrorIllegalState;
    auto capture = std::make_shared<Capture>();
    std::vector<musaGraphNode_t> first;
    if (into != nullptr) {
      capture->graph = graphs().find(*into);
      capture->is_new_graph = false;
      if (capture->graph == nullptr) return musaErrorInvalidValue;
      MUSA_RETURN_IF_ERROR(check_edge_data(dependencies == nullptr ? nullptr : edges, count));
      NodeList found;
      MUSA_RETURN_IF_ERROR(find_nodes(*capture->graph, dependencies, count, &found));
      for (const auto& node : found) first.push_back(node->handle);
    } else {
      capture->graph = make_graph();
    }
    static unsigned long long last_id = 0;
    capture->id = ++last_id;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    ++capture->graph->captures;
    join(stream, capture, std::move(first));
    captures().push_back(std::move(capture));
    capture_count.store(static_cast<int>(captures().size()));
    return musaSuccess;
  });
}

struct CaptureOutputs {
  musaStreamCaptureStatus* status;
  unsigned long long* id;
  musaGraph_t* graph;
  const musaGraphNode_t** dependencies;
  const musaGraphEdgeData** edges;
  size_t* count;
};

musaError_t get_info(musaStream_t handle, const CaptureOutputs& out) {
  if (!any_capture() && out.status != nullptr) {
    return api([&](Runtime& runtime) {
      if (resolve_stream(runtime, handle) == nullptr) return musaErrorInvalidResourceHandle;
      *out.status = musaStreamCaptureStatusNone;
      return musaSuccess;
    });
  }
  return with_graphs([&](Runtime& runtime) {
    if (out.status == nullptr) return musaErrorInvalidValue;
    const auto stream = resolve_stream(runtime, handle);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    if (is_legacy(*stream) && has_blocking_capture(stream->device(), false)) {
      return musaErrorStreamCaptureImplicit;
    }
    StreamCapture* const part = part_of(*stream);
    if (part == nullptr || part->capture->is_invalid) {
      *out.status =
          part == nullptr ? musaStreamCaptureStatusNone : musaStreamCaptureStatusInvalidated;
      // The other results describe a capture. Leaving them untouched also serves callers of the
      // older form with three arguments.
      return musaSuccess;
    }
    *out.status = musaStreamCaptureStatusActive;
    part->edges.assign(part->dependencies.size(), musaGraphEdgeData{});
    if (out.id != nullptr) *out.id = part->capture->id;
    if (out.graph != nullptr) *out.graph = part->capture->graph->handle;
    if (out.dependencies != nullptr) *out.dependencies = part->dependencies.data();
    if (out.edges != nullptr) *out.edges = part->edges.data();
    if (out.count != nullptr) *out.count = part->dependencies.size();
    return musaSuccess;
  });
}

musaError_t update_dependencies(musaStream_t handle, const musaGraphNode_t* dependencies,
                                const musaGraphEdgeData* edges, size_t count, unsigned int flags) {
  return with_graphs([&](Runtime& runtime) {
    if (flags != musaStreamAddCaptureDependencies && flags != musaStreamSetCaptureDependencies) {
      return musaErrorInvalidValue;
    }
    const auto stream = resolve_stream(runtime, handle);
    if (stream == nullptr) return musaErrorInvalidResourceHandle;
    StreamCapture* const part = part_of(*stream);
    if (part == nullptr) return musaErrorIllegalState;
    if (part->capture->is_invalid) return musaErrorStreamCaptureInvalidated;
    NodeList found;
    MUSA_RETURN_IF_ERROR(find_nodes(*part->capture->graph, dependencies, count, &found));
    MUSA_RETURN_IF_ERROR(check_edge_data(edges, count));
    std::vector<musaGraphNode_t> handles;
    for (const auto& node : found) handles.push_back(node->handle);
    if (flags == musaStreamSetCaptureDependencies) part->dependencies.clear();
    add_dependencies(part, handles);
    return musaSuccess;
  });
}

}  // namespace

musaError_t check_capture(const std::shared_ptr<Stream>& stream, bool* captured) {
  if (is_legacy(*stream) && has_blocking_capture(stream->device(), true)) {
    return musaErrorStreamCaptureImplicit;
  }
  const StreamCapture* part = part_of(*stream);
  if (part == nullptr) return musaSuccess;
  if (part->capture->is_invalid) return musaErrorStreamCaptureInvalidated;
  *captured = true;
  return musaSuccess;
}

musaError_t capture_body(const std::shared_ptr<Stream>& stream, Body body) {
  StreamCapture& part = *part_of(*stream);
  const auto node = add_node(*part.capture->graph, std::move(body), dependencies_of(part));
  part.dependencies = {node->handle};
  return musaSuccess;
}

musaError_t capture_child(const std::shared_ptr<Stream>& stream, const Graph& child) {
  StreamCapture& part = *part_of(*stream);
  std::shared_ptr<Node> node;
  const musaError_t status =
      add_child_node(*part.capture->graph, child, dependencies_of(part), &node);
  if (status != musaSuccess) {
    part.capture->is_invalid = true;
    return status;
  }
  part.dependencies = {node->handle};
  return musaSuccess;
}

musaError_t refuse_while_capturing(const Stream& stream) {
  if (is_legacy(stream) && has_blocking_capture(stream.device(), true)) {
    return musaErrorStreamCaptureImplicit;
  }
  StreamCapture* const part = part_of(stream);
  if (part == nullptr) return musaSuccess;
  part->capture->is_invalid = true;
  return musaErrorStreamCaptureUnsupported;
}

musaError_t refuse_if_capturing(const Stream& stream) {
  if (!any_capture()) return musaSuccess;
  const std::lock_guard lock(graph_mutex());
  return refuse_while_capturing(stream);
}

musaError_t refuse_if_device_captures(const Device& device) {
  if (!any_capture()) return musaSuccess;
  const std::lock_guard lock(graph_mutex());
  musaError_t status = musaSuccess;
  for (const auto& capture : captures()) {
    for (const auto& part : capture->streams) {
      if (part->device != device.ordinal) continue;
      capture->is_invalid = true;
      status = musaErrorStreamCaptureUnsupported;
    }
  }
  return status;
}

musaError_t check_unsafe_call() {
  if (!any_capture() || thread_mode == musaStreamCaptureModeRelaxed) return musaSuccess;
  const std::lock_guard lock(graph_mutex());
  musaError_t status = musaSuccess;
  for (const auto& capture : captures()) {
    const bool is_local = capture->thread == std::this_thread::get_id();
    const bool forbids = is_local ? capture->mode != musaStreamCaptureModeRelaxed
                                  : thread_mode == musaStreamCaptureModeGlobal &&
                                        capture->mode == musaStreamCaptureModeGlobal;
    if (!forbids) continue;
    capture->is_invalid = true;
    status = musaErrorStreamCaptureUnsupported;
  }
  return status;
}

musaError_t check_synchronous_call(const Device& device) {
  if (!any_capture()) return musaSuccess;
  const std::lock_guard lock(graph_mutex());
  return has_blocking_capture(device.ordinal, true) ? musaErrorStreamCaptureImplicit : musaSuccess;
}

void leave_capture(const Stream& stream) {
  if (!any_capture()) return;
  std::shared_ptr<Graph> released;  // released after the lock
  const std::lock_guard lock(graph_mutex());
  const StreamCapture* part = part_of(stream);
  if (part == nullptr) return;
  const auto capture = part->capture;
  // Only the stream where the capture began ends it. The work of another stream may still be
  // joined.
  if (capture->streams.front().get() != part) return;
  released = end(capture);
  if (capture->is_new_graph) forget_handles(*released);
}

musaError_t capture_allocation(Runtime& runtime, musaMemAllocNodeParams* params,
                               const std::shared_ptr<Stream>& stream, bool* captured) {
  return try_capture(stream, captured, [&](Body* body) {
    if (part_of(*stream)->capture->graph->is_child) return musaErrorNotSupported;
    return make_allocation_body(runtime, params, body);
  });
}

musaError_t capture_free(Runtime& runtime, void* pointer, const std::shared_ptr<Stream>& stream,
                         bool* captured) {
  return try_capture(stream, captured, [&](Body* body) {
    return check_free_body(runtime, *part_of(*stream)->capture->graph, pointer, body);
  });
}

musaError_t capture_event_record(const std::shared_ptr<Event>& event, musaEvent_t handle,
                                 const std::shared_ptr<Stream>& stream, unsigned int flags,
                                 bool* handled) {
  const std::lock_guard lock(graph_mutex());
  MUSA_RETURN_IF_ERROR(check_capture(stream, handled));
  if (!*handled) return musaSuccess;
  if (flags == musaEventRecordExternal) {
    Body body;
    MUSA_RETURN_IF_ERROR(make_event_body(musaGraphNodeTypeEventRecord, handle, &body));
    return capture_body(stream, std::move(body));
  }
  const StreamCapture& part = *part_of(*stream);
  event->set_captured(
      std::make_shared<CapturedRecord>(CapturedRecord{part.capture, part.dependencies}));
  return musaSuccess;
}

musaError_t capture_event_wait(const std::shared_ptr<Event>& event, musaEvent_t handle,
                               const std::shared_ptr<Stream>& stream, unsigned int flags,
                               bool* handled) {
  const std::lock_guard lock(graph_mutex());
  MUSA_RETURN_IF_ERROR(check_capture(stream, handled));
  StreamCapture* const part = part_of(*stream);
  if (part != nullptr && flags == musaEventWaitExternal) {
    Body body;
    MUSA_RETURN_IF_ERROR(make_event_body(musaGraphNodeTypeEventWait, handle, &body));
    return capture_body(stream, std::move(body));
  }
  const auto record = event->captured();
  if (record == nullptr) {
    if (part == nullptr || event->recording() == nullptr) return musaSuccess;
    // The graph would depend on work outside it.
    part->capture->is_invalid = true;
    return musaErrorStreamCaptureIsolation;
  }
  *handled = true;
  Capture& other = *record->capture;
  if (other.has_ended) {
    if (part != nullptr) part->capture->is_invalid = true;
    return musaErrorCapturedEvent;
  }
  if (other.is_invalid) return musaErrorStreamCaptureInvalidated;
  if (part == nullptr) {
    if (is_legacy(*stream)) {
      other.is_invalid = true;
      return musaErrorStreamCaptureUnsupported;
    }
    join(stream, record->capture, record->dependencies);
    return musaSuccess;
  }
  if (part->capture != record->capture) {
    part->capture->is_invalid = true;
    other.is_invalid = true;
    return musaErrorStreamCaptureMerge;
  }
  add_dependencies(part, record->dependencies);
  return musaSuccess;
}

musaError_t check_not_captured(Event& event) {
  const auto record = event.captured();
  if (record == nullptr) return musaSuccess;
  const std::lock_guard lock(graph_mutex());
  record->capture->is_invalid = true;
  return musaErrorCapturedEvent;
}

musaError_t stream_begin_capture(musaStream_t stream, enum musaStreamCaptureMode mode) {
  return begin(stream, mode, nullptr, nullptr, nullptr, 0);
}

musaError_t stream_begin_capture_to_graph(musaStream_t stream, musaGraph_t graph,
                                          const musaGraphNode_t* dependencies,
                                          const musaGraphEdgeData* dependencyData,
                                          size_t numDependencies, enum musaStreamCaptureMode mode) {
  return begin(stream, mode, &graph, dependencies, dependencyData, numDependencies);
}

musaError_t stream_end_capture(musaStream_t stream, musaGraph_t* pGraph) {
  std::shared_ptr<Graph> released;  // released after the lock
  return with_graphs([&](Runtime& runtime) {
    if (pGraph == nullptr) return musaErrorInvalidValue;
    const auto found = resolve_stream(runtime, stream);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    const StreamCapture* part = part_of(*found);
    if (part == nullptr) return musaErrorIllegalState;
    const auto capture = part->capture;
    if (capture->streams.front().get() != part) {
      capture->is_invalid = true;
      return musaErrorStreamCaptureUnmatched;
    }
    if (capture->mode != musaStreamCaptureModeRelaxed &&
        capture->thread != std::this_thread::get_id()) {
      return musaErrorStreamCaptureWrongThread;
    }
    const musaError_t status = capture->is_invalid    ? musaErrorStreamCaptureInvalidated
                               : !is_joined(*capture) ? musaErrorStreamCaptureUnjoined
                                                      : musaSuccess;
    released = end(capture);
    *pGraph = status == musaSuccess ? released->handle : nullptr;
    if (status != musaSuccess && capture->is_new_graph) forget_handles(*released);
    return status;
  });
}

// The newer functions also take data of edges.
#define ABOUT_CAPTURE(count, function, answer) HOST_ANSWER(musaError_t, count, function, answer)
ABOUT_CAPTURE(2, stream_is_capturing,
              get_info(a0, {a1, nullptr, nullptr, nullptr, nullptr, nullptr}))
ABOUT_CAPTURE(6, stream_get_capture_info_v2, get_info(a0, {a1, a2, a3, a4, nullptr, a5}))
ABOUT_CAPTURE(7, stream_get_capture_info_v3, get_info(a0, {a1, a2, a3, a4, a5, a6}))
ABOUT_CAPTURE(4, stream_update_capture_dependencies, update_dependencies(a0, a1, nullptr, a2, a3))
ABOUT_CAPTURE(5, stream_update_capture_dependencies_v2, update_dependencies(a0, a1, a2, a3, a4))

musaError_t thread_exchange_stream_capture_mode(enum musaStreamCaptureMode* mode) {
  return api([&](Runtime&) {
    if (mode == nullptr || *mode < musaStreamCaptureModeGlobal ||
        *mode > musaStreamCaptureModeRelaxed) {
      return musaErrorInvalidValue;
    }
    *mode = std::exchange(thread_mode, *mode);
    return musaSuccess;
  });
}

}  // namespace musa
