// Executable graphs.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "src/host/musa/graph/plan.h"
#include "src/host/musa/operations.h"

namespace musa {

struct Exec {
  unsigned long long flags = 0;
  std::shared_ptr<const Plan> plan;
  // The place of each node of the original graph: the steps to follow, from the outermost plan
  // inwards.
  std::unordered_map<musaGraphNode_t, std::vector<std::size_t>> places;
  Milestone last_launch;  // without a stream before the first launch
  bool has_memory_nodes = false;
};

using Execs = host::HandleTable<host::HandleKind::kGraphExec, musaGraphExec_t, Exec>;

Execs& execs();

// These functions need the lock.
// The plan with the parameters of `graph`. Returns null if the nodes of `graph` do not fit those of
// `plan`.
std::shared_ptr<const Plan> updated_plan(const Plan& plan, const Graph& graph, Update* update);
// Whether a step may change to this body.
bool may_become(const NodeBody& present, const NodeBody& wanted);

}  // namespace musa
