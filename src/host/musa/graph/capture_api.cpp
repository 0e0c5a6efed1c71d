#include <algorithm>
#include <unordered_set>

#include "src/host/musa/graph/capture.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"
#include "src/host/shared/forward.h"

namespace musa {
namespace {

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
    begin_capture(stream, std::move(capture), std::move(first));
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
    if (is_captured_implicitly(*stream)) return musaErrorStreamCaptureImplicit;
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
    released = end_capture(capture);
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
    *mode = exchange_thread_mode(*mode);
    return musaSuccess;
  });
}

}  // namespace musa
