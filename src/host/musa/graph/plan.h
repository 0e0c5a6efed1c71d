// An instantiated graph, which one thread can execute node by node. A plan in use never changes: to
// change it, make a copy.
#pragma once

#include <memory>
#include <vector>

#include "src/host/musa/graph/graph.h"

namespace musa {

class Recording;
struct Plan;

struct Step {
  Body body;
  std::shared_ptr<const Plan> child;
  bool enabled = true;
  std::vector<std::size_t> dependencies;  // other steps, in the order of the edges
};

struct Plan {
  std::vector<Step> steps;         // in the order in which the nodes were created
  std::vector<std::size_t> order;  // in which they run
  std::vector<std::shared_ptr<UserObject>> user_objects;
};

// The recordings of the events of one launch: one for each event node, in the order of execution.
using Recordings = std::vector<std::shared_ptr<Recording>>;

// Returns null, and the node to blame, if the graph has a cycle or a node that cannot run here.
std::shared_ptr<const Plan> make_plan(const Graph& graph, musaGraphNode_t* blamed,
                                      musaGraphInstantiateResult* result, musaError_t* error);
// Calls `visit` with each step in the order of execution, including the steps of children.
template <typename Visit>
void visit_steps(const Plan& plan, Visit&& visit) {
  for (const std::size_t index : plan.order) {
    const Step& step = plan.steps[index];
    if (step.child != nullptr) {
      visit_steps(*step.child, visit);
    } else {
      visit(step);
    }
  }
}

// Executes the plan. `next` is the index of the plan's first recording.
void run_plan(const Plan& plan, const Recordings& recordings, std::size_t* next);

// A graph with the nodes of the plan, for a launch that is captured.
std::shared_ptr<Graph> graph_of(const Plan& plan);

}  // namespace musa
