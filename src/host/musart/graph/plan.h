// An instantiated graph, ready to be carried out node after node on one thread. A plan in use never
// changes: whoever wants another makes a copy.
#ifndef TORCHADA_HOST_MUSART_GRAPH_PLAN_H_
#define TORCHADA_HOST_MUSART_GRAPH_PLAN_H_

#include <memory>
#include <vector>

#include "graph.h"

namespace musart {

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

// Where the events of one launch get their recordings from: in the order of execution, one for each
// event node.
using Recordings = std::vector<std::shared_ptr<Recording>>;

// Null with the node to blame if the graph goes in a circle or has a node that cannot run here.
std::shared_ptr<const Plan> make_plan(const Graph& graph, musaGraphNode_t* blamed,
                                      musaGraphInstantiateResult* result, musaError_t* error);
// Calls `visit` with each step in the order of execution, those of children included.
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

// Does the work. `next` is where the recordings of this plan start.
void run_plan(const Plan& plan, const Recordings& recordings, std::size_t* next);

// A graph with the nodes of the plan, for a launch that is captured.
std::shared_ptr<Graph> graph_of(const Plan& plan);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_GRAPH_PLAN_H_
