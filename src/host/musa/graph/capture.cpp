#include "src/host/musa/graph/capture.h"

#include <algorithm>

#include "src/host/musa/event.h"
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

// The dependencies that still exist.
NodeList dependencies_of(const StreamCapture& part) {
  NodeList found;
  for (const auto handle : part.dependencies) {
    if (auto node = nodes().find(handle)) found.push_back(std::move(node));
  }
  return found;
}

}  // namespace

StreamCapture* part_of(const Stream& stream) {
  StreamCapture* part = stream.capture.get();
  return part == nullptr || part->capture->has_ended ? nullptr : part;
}

void add_dependencies(StreamCapture* part, const std::vector<musaGraphNode_t>& added) {
  for (const auto handle : added) {
    if (std::ranges::find(part->dependencies, handle) == part->dependencies.end()) {
      part->dependencies.push_back(handle);
    }
  }
}

void begin_capture(const std::shared_ptr<Stream>& stream, std::shared_ptr<Capture> capture,
                   std::vector<musaGraphNode_t> dependencies) {
  ++capture->graph->captures;
  join(stream, capture, std::move(dependencies));
  captures().push_back(std::move(capture));
  capture_count.store(static_cast<int>(captures().size()));
}

std::shared_ptr<Graph> end_capture(const std::shared_ptr<Capture>& capture) {
  capture->has_ended = true;
  auto graph = std::move(capture->graph);
  --graph->captures;
  // Each stream notices by has_ended.
  capture->streams.clear();
  std::erase(captures(), capture);
  capture_count.store(static_cast<int>(captures().size()));
  return graph;
}

bool is_legacy(const Stream& stream) {
  return &stream == Runtime::get().device(stream.device())->legacy_stream().get();
}

bool is_captured_implicitly(const Stream& stream) {
  return is_legacy(stream) && has_blocking_capture(stream.device(), false);
}

musaStreamCaptureMode exchange_thread_mode(musaStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

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
  released = end_capture(capture);
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

}  // namespace musa
