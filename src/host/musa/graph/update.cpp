// Changing what the nodes of an executable graph do.
#include <algorithm>
#include <unordered_map>

#include "src/host/musa/event.h"
#include "src/host/musa/graph/exec.h"
#include "src/host/musa/operations.h"
#include "src/host/shared/forward.h"

namespace musa {
namespace {

constexpr std::size_t kUnpaired = static_cast<std::size_t>(-1);

bool is_flat(const musaMemcpy3DParms& copy) {
  return copy.extent.height == 1 && copy.extent.depth == 1;
}

// Pairs the nodes of a graph with the steps of a plan. Starts at the last ones of both and follows
// the edges backwards, in the order in which they were made.
struct Pairing {
  std::unordered_map<const Node*, std::size_t> step_of;
  std::vector<std::size_t> node_of;  // by step: the position of the node in the graph's order of
                                     // creation
};

bool pair_up(const Plan& plan, const Graph& graph, Pairing* pairing, Update* update) {
  update->result = musaGraphExecUpdateErrorTopologyChanged;
  if (plan.steps.size() != graph.nodes.size()) return false;
  std::unordered_map<const Node*, std::size_t> index;
  std::vector<std::size_t> node_ends;
  for (const auto& node : graph.nodes) {
    if (node->dependents.empty()) node_ends.push_back(index.size());
    index[node.get()] = index.size();
  }
  std::vector<bool> has_dependents(plan.steps.size());
  for (const Step& step : plan.steps) {
    for (const std::size_t dependency : step.dependencies) has_dependents[dependency] = true;
  }
  std::vector<std::size_t> step_ends;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (!has_dependents[i]) step_ends.push_back(i);
  }
  if (step_ends.size() != node_ends.size()) {
    if (!node_ends.empty()) update->node = graph.nodes[node_ends.back()]->handle;
    return false;
  }
  pairing->node_of.assign(plan.steps.size(), kUnpaired);
  std::vector<std::size_t> open;
  const auto pair = [&](std::size_t node, std::size_t step) {
    const auto [place, is_new] = pairing->step_of.try_emplace(graph.nodes[node].get(), step);
    if (!is_new) return place->second == step;
    if (pairing->node_of[step] != kUnpaired) return false;
    pairing->node_of[step] = node;
    open.push_back(step);
    return true;
  };
  for (std::size_t i = 0; i < node_ends.size(); ++i) pair(node_ends[i], step_ends[i]);
  while (!open.empty()) {
    const std::size_t step = open.back();
    open.pop_back();
    const Node& node = *graph.nodes[pairing->node_of[step]];
    const auto& dependencies = plan.steps[step].dependencies;
    if (node.dependencies.size() != dependencies.size()) {
      update->node = node.handle;
      return false;
    }
    for (std::size_t i = 0; i < dependencies.size(); ++i) {
      if (pair(index[node.dependencies[i]], dependencies[i])) continue;
      update->node = node.handle;
      update->from = node.dependencies[i]->handle;
      return false;
    }
  }
  // The search starts at nodes without dependents, so it never reaches a cycle.
  return pairing->step_of.size() == graph.nodes.size();
}

// The plan with the step at `place` changed by `edit`.
template <typename Edit>
std::shared_ptr<const Plan> changed_plan(const Plan& plan, const std::size_t* place,
                                         std::size_t depth, Edit&& edit) {
  auto copy = std::make_shared<Plan>(plan);
  Step& step = copy->steps[*place];
  if (depth == 1) {
    edit(step);
  } else {
    step.child = changed_plan(*step.child, place + 1, depth - 1, edit);
  }
  return copy;
}

const Step& step_at(const Plan& plan, const std::vector<std::size_t>& place) {
  const Plan* inner = &plan;
  for (std::size_t i = 0; i + 1 < place.size(); ++i) inner = inner->steps[place[i]].child.get();
  return inner->steps[place.back()];
}

// `accept` says which types of node are allowed. `decide` checks and changes the step.
template <typename Accept, typename Decide>
musaError_t change_step(musaGraphExec_t handle, musaGraphNode_t node, Accept&& accept,
                        Decide&& decide) {
  std::shared_ptr<const Plan> released;  // released after the lock
  return with_graphs([&](Runtime& runtime) {
    const auto exec = execs().find(handle);
    const auto found = nodes().find(node);
    if (exec == nullptr || found == nullptr || !accept(found->body->type)) {
      return musaErrorInvalidValue;
    }
    const auto place = exec->places.find(node);
    if (place == exec->places.end()) return musaErrorInvalidValue;
    Step step = step_at(*exec->plan, place->second);
    MUSA_RETURN_IF_ERROR(decide(runtime, &step));
    released = exec->plan;
    exec->plan = changed_plan(*exec->plan, place->second.data(), place->second.size(),
                              [&](Step& changed) { changed = step; });
    return musaSuccess;
  });
}

// `make` creates the new body.
template <typename Make>
musaError_t change_body(musaGraphExec_t exec, musaGraphNode_t node, musaGraphNodeType type,
                        Make&& make) {
  const auto is_meant = [type](musaGraphNodeType other) { return other == type; };
  return change_step(exec, node, is_meant, [&](Runtime& runtime, Step* step) {
    Body body;
    MUSA_RETURN_IF_ERROR(make(runtime, &body));
    if (!may_become(*step->body, *body)) return musaErrorInvalidValue;
    step->body = std::move(body);
    return musaSuccess;
  });
}

musaError_t change_event(musaGraphExec_t exec, musaGraphNode_t node, musaGraphNodeType type,
                         musaEvent_t event) {
  return change_body(exec, node, type,
                     [&](Runtime&, Body* body) { return make_event_body(type, event, body); });
}

// Copies of several dimensions change with the whole graph only.
musaError_t make_row_body(Runtime& runtime, const musaMemcpy3DParms* params, Body* body) {
  MUSA_RETURN_IF_ERROR(make_copy_body(runtime, params, body));
  return is_flat(*params) ? musaSuccess : musaErrorInvalidValue;
}

// Whether nodes of this type can be disabled.
bool has_switch(musaGraphNodeType type) {
  return type == musaGraphNodeTypeKernel || type == musaGraphNodeTypeMemcpy ||
         type == musaGraphNodeTypeMemset;
}

}  // namespace

bool may_become(const NodeBody& present, const NodeBody& wanted) {
  if (present.type != wanted.type) return false;
  switch (present.type) {
    case musaGraphNodeTypeMemcpy: {
      // For copies of several dimensions, only the addresses may change.
      const auto& from = std::get<musaMemcpy3DParms>(present.params);
      const auto& to = std::get<musaMemcpy3DParms>(wanted.params);
      if (is_flat(from) != is_flat(to) || from.kind != to.kind || present.mapped != wanted.mapped) {
        return false;
      }
      return is_flat(from) ||
             (from.extent.width == to.extent.width && from.extent.height == to.extent.height &&
              from.extent.depth == to.extent.depth);
    }
    case musaGraphNodeTypeMemset: {
      const auto& from = std::get<musaMemsetParams>(present.params);
      const auto& to = std::get<musaMemsetParams>(wanted.params);
      if (from.height != to.height) return false;
      return from.height == 1 || (from.width == to.width && from.pitch == to.pitch &&
                                  from.elementSize == to.elementSize);
    }
    case musaGraphNodeTypeMemAlloc:
    case musaGraphNodeTypeMemFree:
      return present.block() == wanted.block();
    case musaGraphNodeTypeKernel:
      return static_cast<bool>(wanted.run);
    default:
      return true;
  }
}

std::shared_ptr<const Plan> updated_plan(const Plan& plan, const Graph& graph, Update* update) {
  Pairing pairing;
  if (!pair_up(plan, graph, &pairing, update)) return nullptr;
  auto updated = std::make_shared<Plan>(plan);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Node& node = *graph.nodes[pairing.node_of[i]];
    Step& step = updated->steps[i];
    if (step.body->type != node.body->type) {
      update->result = musaGraphExecUpdateErrorNodeTypeChanged;
    } else if (!may_become(*step.body, *node.body)) {
      update->result = musaGraphExecUpdateErrorParametersChanged;
    } else if (step.child != nullptr) {
      step.child = updated_plan(*step.child, *node.child, update);
      if (step.child == nullptr) return nullptr;
      continue;
    } else {
      step.body = node.body;
      continue;
    }
    update->node = node.handle;
    return nullptr;
  }
  updated->user_objects.clear();
  for (const auto& [handle, references] : graph.user_objects) {
    updated->user_objects.push_back(references.object);
  }
  update->result = musaGraphExecUpdateSuccess;
  return updated;
}

musaError_t update_exec(musaGraphExec_t handle, musaGraph_t graph_handle, Update* update) {
  std::shared_ptr<const Plan> released;  // released after the lock
  return with_graphs([&](Runtime&) {
    const auto exec = execs().find(handle);
    const auto graph = graphs().find(graph_handle);
    if (exec == nullptr || graph == nullptr) return musaErrorInvalidValue;
    auto plan = updated_plan(*exec->plan, *graph, update);
    if (plan == nullptr) return musaErrorGraphExecUpdateFailure;
    released = std::exchange(exec->plan, std::move(plan));
    return musaSuccess;
  });
}

#define CHANGE_WITH_PARAMS(function, type, make)                                               \
  musaError_t function(HOST_PARAMETERS_3(function)) {                                          \
    return change_body(a0, a1, type,                                                           \
                       [&](Runtime& runtime, Body* body) { return make(runtime, a2, body); }); \
  }
CHANGE_WITH_PARAMS(graph_exec_memcpy_node_set_params, musaGraphNodeTypeMemcpy, make_row_body)
CHANGE_WITH_PARAMS(graph_exec_memset_node_set_params, musaGraphNodeTypeMemset, make_fill_body)
CHANGE_WITH_PARAMS(graph_exec_host_node_set_params, musaGraphNodeTypeHost, make_host_body)
CHANGE_WITH_PARAMS(graph_exec_kernel_node_set_params, musaGraphNodeTypeKernel, make_kernel_body)

#define CHANGE_OF_EVENT(function, type) \
  HOST_ANSWER(musaError_t, 3, function, change_event(a0, a1, type, a2))
CHANGE_OF_EVENT(graph_exec_event_record_node_set_event, musaGraphNodeTypeEventRecord)
CHANGE_OF_EVENT(graph_exec_event_wait_node_set_event, musaGraphNodeTypeEventWait)

musaError_t graph_exec_memcpy_node_set_params_1d(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                                 void* dst, const void* src, size_t count,
                                                 enum musaMemcpyKind kind) {
  return change_body(hGraphExec, node, musaGraphNodeTypeMemcpy, [&](Runtime& runtime, Body* body) {
    return make_flat_copy_body(runtime, dst, src, count, kind, body);
  });
}

musaError_t graph_exec_child_graph_node_set_params(musaGraphExec_t hGraphExec, musaGraphNode_t node,
                                                   musaGraph_t childGraph) {
  const auto is_child = [](musaGraphNodeType type) { return type == musaGraphNodeTypeChildGraph; };
  return change_step(hGraphExec, node, is_child, [&](Runtime&, Step* step) {
    const auto child = graphs().find(childGraph);
    if (child == nullptr) return musaErrorInvalidValue;
    Update update;
    auto plan = updated_plan(*step->child, *child, &update);
    if (plan == nullptr) return musaErrorGraphExecUpdateFailure;
    step->child = std::move(plan);
    return musaSuccess;
  });
}

musaError_t graph_node_set_enabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
                                   unsigned int isEnabled) {
  return change_step(hGraphExec, hNode, has_switch, [&](Runtime&, Step* step) {
    step->enabled = isEnabled != 0;
    return musaSuccess;
  });
}

musaError_t graph_node_get_enabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
                                   unsigned int* isEnabled) {
  return with_graphs([&](Runtime&) {
    const auto exec = execs().find(hGraphExec);
    if (exec == nullptr || isEnabled == nullptr || nodes().find(hNode) == nullptr) {
      return musaErrorInvalidValue;
    }
    const auto place = exec->places.find(hNode);
    if (place == exec->places.end()) return musaErrorInvalidValue;
    const Step& step = step_at(*exec->plan, place->second);
    if (!has_switch(step.body->type)) return musaErrorInvalidValue;
    *isEnabled = step.enabled ? 1 : 0;
    return musaSuccess;
  });
}

}  // namespace musa
