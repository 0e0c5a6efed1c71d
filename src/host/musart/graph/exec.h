// Executable graphs.
#ifndef TORCHADA_HOST_MUSART_GRAPH_EXEC_H_
#define TORCHADA_HOST_MUSART_GRAPH_EXEC_H_

#include <memory>
#include <unordered_map>
#include <vector>

#include "src/host/musart/graph/plan.h"

namespace musart {

struct Exec {
  unsigned long long flags = 0;
  std::shared_ptr<const Plan> plan;
  // The place of each node of the original graph: the steps to follow, from the outermost plan
  // inwards.
  std::unordered_map<musaGraphNode_t, std::vector<std::size_t>> places;
  Milestone last_launch;  // without a stream before the first launch
  bool has_memory_nodes = false;
};

host::HandleTable<musaGraphExec_t, Exec>& execs();

struct Instantiation {
  unsigned long long flags = 0;
  musaGraphExec_t exec = nullptr;
  musaGraphNode_t blamed = nullptr;
  musaGraphInstantiateResult result = musaGraphInstantiateError;
};

// These functions take the lock themselves.
musaError_t instantiate(musaGraph_t graph, Instantiation* made);
struct Update {
  musaGraphExecUpdateResult result = musaGraphExecUpdateError;
  musaGraphNode_t node = nullptr;
  musaGraphNode_t from = nullptr;
};
musaError_t update_exec(musaGraphExec_t exec, musaGraph_t graph, Update* update);

// These functions need the lock.
// The plan with the parameters of `graph`. Returns null if the nodes of `graph` do not fit those of
// `plan`.
std::shared_ptr<const Plan> updated_plan(const Plan& plan, const Graph& graph, Update* update);
// Whether a step may change to this body.
bool may_become(const NodeBody& present, const NodeBody& wanted);

}  // namespace musart

#endif  // TORCHADA_HOST_MUSART_GRAPH_EXEC_H_
