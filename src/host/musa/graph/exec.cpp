// Creates, launches and destroys executable graphs.
#include "src/host/musa/graph/exec.h"

#include <algorithm>
#include <string_view>

#include "src/host/musa/driver_call.h"
#include "src/host/musa/event.h"
#include "src/host/musa/graph/capture.h"
#include "src/host/musa/operations.h"
#include "src/host/musa/stream_handles.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

constexpr unsigned long long kKnownInstantiateFlags =
    musaGraphInstantiateFlagAutoFreeOnLaunch | musaGraphInstantiateFlagUpload |
    musaGraphInstantiateFlagDeviceLaunch | musaGraphInstantiateFlagUseNodePriority;

void note_places(const Graph& graph, const std::vector<std::size_t>& outer, Exec* exec) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    auto place = outer;
    place.push_back(i);
    if (graph.nodes[i]->child != nullptr) note_places(*graph.nodes[i]->child, place, exec);
    exec->places[graph.nodes[i]->handle] = std::move(place);
  }
}

std::vector<std::shared_ptr<MemoryBlock>> blocks_of(const Plan& plan, musaGraphNodeType type) {
  std::vector<std::shared_ptr<MemoryBlock>> blocks;
  visit_steps(plan, [&](const Step& step) {
    if (step.body->type == type) blocks.push_back(step.body->block());
  });
  return blocks;
}

// One launch: everything that its task in the stream needs.
struct Launch {
  std::shared_ptr<const Plan> plan;
  Recordings recordings;
  std::vector<std::pair<std::shared_ptr<Event>, std::shared_ptr<Recording>>> recorded;
  std::vector<std::shared_ptr<MemoryBlock>> blocks;
  Milestone previous;  // the previous launch, if it was in another stream

  ~Launch() {
    for (const auto& block : blocks) block->end_launch();
  }
  void run() const {
    if (previous.stream != nullptr) previous.wait();
    std::size_t next = 0;
    run_plan(*plan, recordings, &next);
  }
};

// Each wait uses the event's current recording, unless an earlier node of this launch records the
// event.
void prepare_events(Launch* launch) {
  visit_steps(*launch->plan, [&](const Step& step) {
    const auto* params = std::get_if<EventParams>(&step.body->params);
    if (params == nullptr) return;
    if (step.body->type == musaGraphNodeTypeEventRecord) {
      launch->recorded.emplace_back(params->event, std::make_shared<Recording>());
      launch->recordings.push_back(launch->recorded.back().second);
      return;
    }
    auto awaited = params->event->recording();
    for (const auto& [event, recording] : launch->recorded) {
      if (event == params->event) awaited = recording;
    }
    launch->recordings.push_back(std::move(awaited));
  });
}

// Checks that the state of the graph's memory allows a launch, and gets pages for it.
musaError_t prepare_memory(const Exec& exec, Launch* launch) {
  if (!exec.has_memory_nodes) return musaSuccess;
  const auto allocated = blocks_of(*exec.plan, musaGraphNodeTypeMemAlloc);
  const auto freed = blocks_of(*exec.plan, musaGraphNodeTypeMemFree);
  const bool auto_free = (exec.flags & musaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  for (const auto& block : allocated) {
    if (block->is_allocated() && !auto_free) return musaErrorInvalidValue;
  }
  for (const auto& block : freed) {
    const bool is_own = std::ranges::find(allocated, block) != allocated.end();
    if (!is_own && !block->is_allocated()) return musaErrorInvalidValue;
  }
  for (const auto& block : allocated) {
    if (!block->begin_launch()) return musaErrorMemoryAllocation;
    launch->blocks.push_back(block);
  }
  for (const auto& block : allocated) block->set_allocated();
  for (const auto& block : freed) block->set_freed();
  return musaSuccess;
}

// A node's grid may have no blocks until here.
bool has_empty_grid(const Plan& plan) {
  bool found = false;
  visit_steps(plan, [&](const Step& step) {
    const auto* kernel = std::get_if<KernelParams>(&step.body->params);
    if (kernel == nullptr || !step.enabled) return;
    const dim3& grid = kernel->params.gridDim;
    found = found || grid.x == 0 || grid.y == 0 || grid.z == 0;
  });
  return found;
}

musaError_t launch(Runtime& runtime, Exec& exec, const std::shared_ptr<Stream>& stream) {
  if (has_empty_grid(*exec.plan)) return musaErrorInvalidConfiguration;
  auto launch = std::make_shared<Launch>();
  launch->plan = exec.plan;
  MUSA_RETURN_IF_ERROR(prepare_memory(exec, launch.get()));
  prepare_events(launch.get());
  // The launches of one executable graph run one after the other, even in different streams.
  if (exec.last_launch.stream != stream) launch->previous = std::move(exec.last_launch);
  const auto recorded = launch->recorded;
  Device& device = *runtime.device(stream->device());
  auto run = [launch = std::move(launch)] { launch->run(); };
  exec.last_launch = {stream, device.submit(stream, std::move(run))};
  for (const auto& [event, recording] : recorded) event->set_recording(recording);
  return musaSuccess;
}

}  // namespace

Execs& execs() { return host::never_destroyed<Execs>(); }

musaError_t instantiate(musaGraph_t handle, Instantiation* made) {
  return api([&](Runtime&) {
    MUSA_RETURN_IF_ERROR(check_unsafe_call());
    const std::lock_guard lock(graph_mutex());
    const auto graph = graphs().find(handle);
    if (graph == nullptr || (made->flags & ~kKnownInstantiateFlags) != 0)
      return musaErrorInvalidValue;
    // The device runs no code, so it can launch nothing.
    if ((made->flags & musaGraphInstantiateFlagDeviceLaunch) != 0) return musaErrorNotSupported;
    const bool has_memory_nodes = graph->has_memory_nodes();
    if (has_memory_nodes && !graph->exec.expired()) return musaErrorNotSupported;
    auto exec = std::make_shared<Exec>();
    exec->flags = made->flags;
    exec->has_memory_nodes = has_memory_nodes;
    musaError_t error = musaSuccess;
    exec->plan = make_plan(*graph, &made->blamed, &made->result, &error);
    if (exec->plan == nullptr) return error;
    note_places(*graph, {}, exec.get());
    if (has_memory_nodes) graph->exec = exec;
    made->exec = execs().insert(exec);
    made->result = musaGraphInstantiateSuccess;
    return musaSuccess;
  });
}

musaError_t graph_instantiate_with_flags(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                         unsigned long long flags) {
  Instantiation made;
  made.flags = flags;
  // Only the function with a parameter struct names a stream for the upload.
  if (pGraphExec == nullptr || (flags & musaGraphInstantiateFlagUpload) != 0) {
    return musaErrorInvalidValue;
  }
  const musaError_t status = instantiate(graph, &made);
  if (status == musaSuccess) *pGraphExec = made.exec;
  return status;
}

musaError_t graph_instantiate_with_log(musaGraphExec_t* exec, musaGraph_t graph,
                                       musaGraphNode_t* blamed, char* log, size_t log_size) {
  if (exec == nullptr) return musaErrorInvalidValue;
  Instantiation made;
  const musaError_t status = instantiate(graph, &made);
  if (status == musaSuccess) *exec = made.exec;
  if (blamed != nullptr) *blamed = made.blamed;
  if (log != nullptr && log_size != 0) {
    const char* text = "";
    if (status != musaSuccess) muGetErrorString(driver_status(status), &text);
    log[std::string_view(text).copy(log, log_size - 1)] = '\0';
  }
  return status;
}

musaError_t graph_instantiate_with_params(musaGraphExec_t* pGraphExec, musaGraph_t graph,
                                          musaGraphInstantiateParams* instantiateParams) {
  if (pGraphExec == nullptr || instantiateParams == nullptr) {
    return musaErrorInvalidValue;
  }
  Instantiation made;
  made.flags = instantiateParams->flags;
  musaError_t status = instantiate(graph, &made);
  if (status == musaSuccess && (made.flags & musaGraphInstantiateFlagUpload) != 0) {
    status = graph_upload(made.exec, instantiateParams->uploadStream);
    if (status != musaSuccess) {
      execs().remove(made.exec);
      made.result = musaGraphInstantiateError;
    }
  }
  instantiateParams->errNode_out = made.blamed;
  instantiateParams->result_out = made.result;
  if (status == musaSuccess) *pGraphExec = made.exec;
  return status;
}

musaError_t graph_exec_get_flags(musaGraphExec_t graphExec, unsigned long long* flags) {
  return with_graphs([&](Runtime&) {
    const auto exec = execs().find(graphExec);
    if (exec == nullptr || flags == nullptr) return musaErrorInvalidValue;
    *flags = exec->flags;
    return musaSuccess;
  });
}

// An upload gets the pages for the graph's memory, so that the first launch does not have to.
musaError_t graph_upload(musaGraphExec_t graphExec, musaStream_t stream) {
  return with_graphs([&](Runtime& runtime) {
    const auto exec = execs().find(graphExec);
    if (exec == nullptr) return musaErrorInvalidValue;
    const auto found = resolve_stream(runtime, stream);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    MUSA_RETURN_IF_ERROR(refuse_while_capturing(*found));
    for (const auto& block : blocks_of(*exec->plan, musaGraphNodeTypeMemAlloc)) {
      if (!block->begin_launch()) return musaErrorMemoryAllocation;
      block->end_launch();
    }
    return musaSuccess;
  });
}

musaError_t graph_launch(musaGraphExec_t graphExec, musaStream_t stream) {
  std::shared_ptr<Graph> released;  // released after the lock
  return with_graphs([&](Runtime& runtime) {
    const auto exec = execs().find(graphExec);
    if (exec == nullptr) return musaErrorInvalidValue;
    const auto found = resolve_stream(runtime, stream);
    if (found == nullptr) return musaErrorInvalidResourceHandle;
    bool captured = false;
    MUSA_RETURN_IF_ERROR(check_capture(found, &captured));
    if (!captured) return launch(runtime, *exec, found);
    released = graph_of(*exec->plan);
    forget_handles(*released);
    return capture_child(found, *released);
  });
}

musaError_t graph_exec_destroy(musaGraphExec_t graphExec) {
  std::shared_ptr<Exec> released;  // released after the lock; active launches keep what they need
  return with_graphs([&](Runtime&) {
    released = execs().remove(graphExec);
    return released == nullptr ? musaErrorInvalidValue : musaSuccess;
  });
}

}  // namespace musa
