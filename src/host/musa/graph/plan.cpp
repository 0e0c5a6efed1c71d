#include "src/host/musa/graph/plan.h"

#include <unordered_map>

#include "src/host/musa/event.h"

namespace musa {

std::shared_ptr<const Plan> make_plan(const Graph& graph, musaGraphNode_t* blamed,
                                      musaGraphInstantiateResult* result, musaError_t* error) {
  auto plan = std::make_shared<Plan>();
  plan->order = order_of(graph);
  if (plan->order.size() != graph.nodes.size()) {
    *blamed = graph.nodes.front()->handle;
    *result = musaGraphInstantiateInvalidStructure;
    *error = musaErrorInvalidValue;
    return nullptr;
  }
  std::unordered_map<const Node*, std::size_t> index;
  for (const auto& node : graph.nodes) {
    index[node.get()] = index.size();
  }
  for (const auto& node : graph.nodes) {
    // The function is none of a loaded module. Every launch fails in the same way.
    if (node->body->type == musaGraphNodeTypeKernel && !node->body->run) {
      *blamed = node->handle;
      *result = musaGraphInstantiateNodeOperationNotSupported;
      *error = musaErrorInvalidDeviceFunction;
      return nullptr;
    }
    Step step;
    step.body = node->body;
    for (const Node* dependency : node->dependencies) {
      step.dependencies.push_back(index[dependency]);
    }
    if (node->child != nullptr) {
      step.child = make_plan(*node->child, blamed, result, error);
      if (step.child == nullptr) return nullptr;
    }
    plan->steps.push_back(std::move(step));
  }
  for (const auto& [handle, references] : graph.user_objects) {
    plan->user_objects.push_back(references.object);
  }
  return plan;
}

namespace {

// The memory gate sees consecutive host functions as one. Returns their number.
std::size_t run_host_functions(const Plan& plan, std::size_t position) {
  const auto is_host = [&](std::size_t place) {
    return place < plan.order.size() &&
           plan.steps[plan.order[place]].body->type == musaGraphNodeTypeHost;
  };
  std::size_t end = position;
  while (is_host(end)) ++end;
  Runtime::get().gate.run_host_function([&] {
    for (std::size_t i = position; i < end; ++i) {
      const auto& host = std::get<musaHostNodeParams>(plan.steps[plan.order[i]].body->params);
      host.fn(host.userData);
    }
  });
  return end - position;
}

}  // namespace

void run_plan(const Plan& plan, const Recordings& recordings, std::size_t* next) {
  for (std::size_t position = 0; position < plan.order.size(); ++position) {
    const Step& step = plan.steps[plan.order[position]];
    if (step.child != nullptr) {
      run_plan(*step.child, recordings, next);
      continue;
    }
    switch (step.body->type) {
      case musaGraphNodeTypeHost:
        position += run_host_functions(plan, position) - 1;
        break;
      case musaGraphNodeTypeEventRecord:
        recordings[(*next)++]->complete();
        break;
      case musaGraphNodeTypeEventWait:
        // An event that was never recorded delays nobody.
        if (const auto& awaited = recordings[(*next)++]) awaited->wait();
        break;
      case musaGraphNodeTypeMemAlloc:
        step.body->block()->become_live();
        break;
      case musaGraphNodeTypeMemFree:
        step.body->block()->become_unused();
        break;
      default:
        if (step.enabled && step.body->run) step.body->run();
    }
  }
}

std::shared_ptr<Graph> graph_of(const Plan& plan) {
  auto graph = make_graph();
  for (const Step& step : plan.steps) {
    // A disabled step keeps its place and does nothing.
    const auto node =
        add_node(*graph, step.enabled ? step.body : make_empty_body(musaGraphNodeTypeEmpty), {});
    if (step.child != nullptr) {
      node->child = graph_of(*step.child);
      node->child->is_child = true;
    }
  }
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    for (const std::size_t dependency : plan.steps[i].dependencies) {
      add_edge(*graph->nodes[dependency], *graph->nodes[i]);
    }
  }
  for (const auto& object : plan.user_objects) graph->user_objects[object->handle] = {object, 1};
  return graph;
}

}  // namespace musa
