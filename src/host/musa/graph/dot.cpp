// Graphs as text for Graphviz.
#include <fstream>
#include <sstream>
#include <string>

#include "src/host/musa/event.h"
#include "src/host/musa/graph/graph.h"
#include "src/host/musa/operations.h"

namespace musa {
namespace {

constexpr unsigned int kKnownDotFlags = 0xffff;

const char* name_of(musaGraphNodeType type) {
  switch (type) {
    case musaGraphNodeTypeKernel:
      return "KERNEL";
    case musaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case musaGraphNodeTypeMemset:
      return "MEMSET";
    case musaGraphNodeTypeHost:
      return "HOST";
    case musaGraphNodeTypeChildGraph:
      return "GRAPH";
    case musaGraphNodeTypeEventWait:
      return "EVENT_WAIT";
    case musaGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case musaGraphNodeTypeMemAlloc:
      return "MEM_ALLOC";
    case musaGraphNodeTypeMemFree:
      return "MEM_FREE";
    default:
      return "EMPTY";
  }
}

std::string details_of(const NodeBody& body, unsigned int flags) {
  const auto wants = [&](unsigned int flag) {
    return (flags & (flag | musaGraphDebugDotFlagsVerbose)) != 0;
  };
  std::ostringstream text;
  if (const auto* copy = std::get_if<musaMemcpy3DParms>(&body.params)) {
    if (!wants(musaGraphDebugDotFlagsMemcpyNodeParams)) return {};
    text << "\\n"
         << copy->srcPtr.ptr << " to " << copy->dstPtr.ptr << "\\n"
         << copy->extent.width << " x " << copy->extent.height << " x " << copy->extent.depth;
  } else if (const auto* fill = std::get_if<musaMemsetParams>(&body.params)) {
    if (!wants(musaGraphDebugDotFlagsMemsetNodeParams)) return {};
    text << "\\n"
         << fill->dst << " = " << fill->value << "\\n"
         << fill->width << " x " << fill->height << " of " << fill->elementSize;
  } else if (const auto* host = std::get_if<musaHostNodeParams>(&body.params)) {
    if (!wants(musaGraphDebugDotFlagsHostNodeParams)) return {};
    text << "\\n" << reinterpret_cast<void*>(host->fn) << "(" << host->userData << ")";
  } else if (const auto* kernel = std::get_if<KernelParams>(&body.params)) {
    if (!wants(musaGraphDebugDotFlagsKernelNodeParams)) return {};
    text << "\\n" << kernel->params.func;
  } else if (const auto* event = std::get_if<EventParams>(&body.params)) {
    if (!wants(musaGraphDebugDotFlagsEventNodeParams)) return {};
    text << "\\n" << static_cast<const void*>(event->event->handle);
  }
  return text.str();
}

// Nodes are numbered by position. `path` distinguishes the nodes of different graphs.
void print(const Graph& graph, const std::string& path, unsigned int flags, std::ostream& out) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = *graph.nodes[i];
    const std::string name = path + "_" + std::to_string(i);
    out << "\"" << name << "\" [label=\"" << i << "\\n" << name_of(node.body->type);
    if ((flags & (musaGraphDebugDotFlagsHandles | musaGraphDebugDotFlagsVerbose)) != 0) {
      out << "\\n" << static_cast<const void*>(node.handle);
    }
    out << details_of(*node.body, flags) << "\"];\n";
    for (const Node* dependent : node.dependents) {
      for (std::size_t j = 0; j < graph.nodes.size(); ++j) {
        if (graph.nodes[j].get() != dependent) continue;
        out << "\"" << name << "\" -> \"" << path << "_" << j << "\";\n";
      }
    }
    if (node.child == nullptr) continue;
    out << "subgraph \"cluster_" << name << "\" {\nlabel=\"" << name << "\";\n";
    print(*node.child, name, flags, out);
    out << "}\n";
  }
}

}  // namespace

musaError_t graph_debug_dot_print(musaGraph_t graph, const char* path, unsigned int flags) {
  return with_graphs([&](Runtime&) {
    const auto found = graphs().find(graph);
    if (found == nullptr || path == nullptr || (flags & ~kKnownDotFlags) != 0) {
      return musaErrorInvalidValue;
    }
    std::ofstream out(path);
    out << "digraph dot {\n";
    print(*found, "graph", flags, out);
    out << "}\n";
    out.close();
    return out.good() ? musaSuccess : musaErrorOperatingSystem;
  });
}

}  // namespace musa
