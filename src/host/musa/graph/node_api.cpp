// Functions that make nodes, and that read and change what they do.
#include <optional>

#include "src/host/musa/device_properties.h"
#include "src/host/musa/event.h"
#include "src/host/musa/graph/graph.h"
#include "src/host/musa/operations.h"
#include "src/host/shared/forward.h"

namespace musa {
namespace {

// `make` fills in the body after all other arguments were checked.
template <typename Make>
musaError_t add(musaGraphNode_t* out, musaGraph_t handle, const musaGraphNode_t* dependencies,
                size_t count, Make&& make) {
  return with_graphs([&](Runtime& runtime) {
    const auto graph = graphs().find(handle);
    if (out == nullptr || graph == nullptr) return musaErrorInvalidValue;
    NodeList found;
    MUSA_RETURN_IF_ERROR(find_nodes(*graph, dependencies, count, &found));
    Body body;
    MUSA_RETURN_IF_ERROR(make(runtime, *graph, &body));
    *out = add_node(*graph, std::move(body), found)->handle;
    return musaSuccess;
  });
}

template <typename Params, typename Read>
musaError_t read(musaGraphNode_t handle, musaGraphNodeType type, const void* out, Read&& read) {
  return with_graphs([&](Runtime&) {
    const auto node = nodes().find(handle);
    if (node == nullptr || out == nullptr || node->body->type != type) return musaErrorInvalidValue;
    return read(std::get<Params>(node->body->params));
  });
}

template <typename Make>
musaError_t change(musaGraphNode_t handle, musaGraphNodeType type, Make&& make) {
  return with_graphs([&](Runtime& runtime) {
    const auto node = nodes().find(handle);
    if (node == nullptr || node->body->type != type) return musaErrorInvalidValue;
    Body body;
    MUSA_RETURN_IF_ERROR(make(runtime, *node, &body));
    node->body = std::move(body);
    return musaSuccess;
  });
}

template <typename Params>
musaError_t add_with(musaGraphNode_t* out, musaGraph_t graph, const musaGraphNode_t* dependencies,
                     size_t count, const Params* params, MakeBody<Params>* make) {
  return add(out, graph, dependencies, count,
             [&](Runtime& runtime, Graph&, Body* body) { return make(runtime, params, body); });
}

template <typename Params>
musaError_t read_params(musaGraphNode_t node, musaGraphNodeType type, Params* out) {
  return read<Params>(node, type, out, [&](const Params& params) {
    *out = params;
    return musaSuccess;
  });
}

template <typename Params>
musaError_t change_with(musaGraphNode_t node, musaGraphNodeType type, const Params* params,
                        MakeBody<Params>* make) {
  return change(node, type, [&](Runtime& runtime, const Node&, Body* body) {
    return make(runtime, params, body);
  });
}

musaError_t add_event_node(musaGraphNodeType type, musaGraphNode_t* out, musaGraph_t graph,
                           const musaGraphNode_t* dependencies, size_t count, musaEvent_t event) {
  return add(out, graph, dependencies, count,
             [&](Runtime&, Graph&, Body* body) { return make_event_body(type, event, body); });
}

musaError_t read_event(musaGraphNodeType type, musaGraphNode_t node, musaEvent_t* out) {
  return read<EventParams>(node, type, out, [&](const EventParams& params) {
    *out = params.event->handle;
    return musaSuccess;
  });
}

musaError_t change_event(musaGraphNodeType type, musaGraphNode_t node, musaEvent_t event) {
  return change(node, type, [&](Runtime&, const Node&, Body* body) {
    return make_event_body(type, event, body);
  });
}

bool is_freed_in(const Graph& graph, const MemoryBlock* block) {
  for (const auto& node : graph.nodes) {
    if (node->body->type == musaGraphNodeTypeMemFree && node->body->block().get() == block) {
      return true;
    }
  }
  return false;
}

// The attributes that a kernel can have.
bool is_kernel_attribute(musaLaunchAttributeID id) {
  return id >= musaLaunchAttributeAccessPolicyWindow && id <= musaLaunchAttributePriority &&
         id != musaLaunchAttributeSynchronizationPolicy;
}

}  // namespace

musaError_t check_free_body(Runtime& runtime, const Graph& graph, void* pointer, Body* body) {
  if (graph.is_child) return musaErrorNotSupported;
  MUSA_RETURN_IF_ERROR(make_free_body(runtime, pointer, body));
  return is_freed_in(graph, (*body)->block().get()) ? musaErrorInvalidValue : musaSuccess;
}

musaError_t graph_add_empty_node(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                 const musaGraphNode_t* pDependencies, size_t numDependencies) {
  return add(pGraphNode, graph, pDependencies, numDependencies, [](Runtime&, Graph&, Body* body) {
    *body = make_empty_body(musaGraphNodeTypeEmpty);
    return musaSuccess;
  });
}

// Making a node, reading it and changing it, for a kind of node with a struct of parameters.
#define NODES_WITH_PARAMS(kind, type, make)                                                       \
  musaError_t graph_add_##kind##_node(HOST_PARAMETERS_5(graph_add_##kind##_node)) {               \
    return add_with(a0, a1, a2, a3, a4, make);                                                    \
  }                                                                                               \
  musaError_t graph_##kind##_node_get_params(HOST_PARAMETERS_2(graph_##kind##_node_get_params)) { \
    return read_params(a0, type, a1);                                                             \
  }                                                                                               \
  musaError_t graph_##kind##_node_set_params(HOST_PARAMETERS_2(graph_##kind##_node_set_params)) { \
    return change_with(a0, type, a1, make);                                                       \
  }
NODES_WITH_PARAMS(memcpy, musaGraphNodeTypeMemcpy, make_copy_body)
NODES_WITH_PARAMS(memset, musaGraphNodeTypeMemset, make_fill_body)
NODES_WITH_PARAMS(host, musaGraphNodeTypeHost, make_host_body)

#define NODES_WITH_EVENT(kind, type)                                                            \
  musaError_t graph_add_event_##kind##_node(HOST_PARAMETERS_5(graph_add_event_##kind##_node)) { \
    return add_event_node(type, a0, a1, a2, a3, a4);                                            \
  }                                                                                             \
  musaError_t graph_event_##kind##_node_get_event(musaGraphNode_t node, musaEvent_t* out) {     \
    return read_event(type, node, out);                                                         \
  }                                                                                             \
  musaError_t graph_event_##kind##_node_set_event(musaGraphNode_t node, musaEvent_t event) {    \
    return change_event(type, node, event);                                                     \
  }
NODES_WITH_EVENT(record, musaGraphNodeTypeEventRecord)
NODES_WITH_EVENT(wait, musaGraphNodeTypeEventWait)

musaError_t graph_add_memcpy_node_1d(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                     const musaGraphNode_t* pDependencies, size_t numDependencies,
                                     void* dst, const void* src, size_t count,
                                     enum musaMemcpyKind kind) {
  return add(pGraphNode, graph, pDependencies, numDependencies,
             [&](Runtime& runtime, Graph&, Body* body) {
               return make_flat_copy_body(runtime, dst, src, count, kind, body);
             });
}

musaError_t graph_memcpy_node_set_params_1d(musaGraphNode_t node, void* dst, const void* src,
                                            size_t count, enum musaMemcpyKind kind) {
  return change(node, musaGraphNodeTypeMemcpy, [&](Runtime& runtime, const Node&, Body* body) {
    return make_flat_copy_body(runtime, dst, src, count, kind, body);
  });
}

// Programs can make and read nodes for functions of the runtime, too, but not instantiate their
// graph.
musaError_t graph_add_kernel_node(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                  const musaGraphNode_t* pDependencies, size_t numDependencies,
                                  const struct musaKernelNodeParams* pNodeParams) {
  return add_with(pGraphNode, graph, pDependencies, numDependencies, pNodeParams, make_kernel_body);
}

musaError_t graph_kernel_node_get_params(musaGraphNode_t node,
                                         struct musaKernelNodeParams* pNodeParams) {
  return read<KernelParams>(node, musaGraphNodeTypeKernel, pNodeParams,
                            [&](const KernelParams& kernel) {
                              *pNodeParams = kernel.params;
                              return musaSuccess;
                            });
}

musaError_t graph_kernel_node_set_params(musaGraphNode_t node,
                                         const struct musaKernelNodeParams* pNodeParams) {
  return change(node, musaGraphNodeTypeKernel,
                [&](Runtime& runtime, const Node& found, Body* body) {
                  MUSA_RETURN_IF_ERROR(make_kernel_body(runtime, pNodeParams, body));
                  auto changed = std::make_shared<NodeBody>(**body);
                  std::get<KernelParams>(changed->params).attributes =
                      std::get<KernelParams>(found.body->params).attributes;
                  *body = std::move(changed);
                  return musaSuccess;
                });
}

musaError_t graph_kernel_node_get_attribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
                                            musaLaunchAttributeValue* value_out) {
  return read<KernelParams>(
      hNode, musaGraphNodeTypeKernel, value_out, [&](const KernelParams& kernel) {
        if (!is_kernel_attribute(attr)) return musaErrorInvalidValue;
        const auto found = kernel.attributes.find(attr);
        *value_out = found == kernel.attributes.end() ? musaLaunchAttributeValue{} : found->second;
        return musaSuccess;
      });
}

musaError_t graph_kernel_node_set_attribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
                                            const musaLaunchAttributeValue* value) {
  return change(hNode, musaGraphNodeTypeKernel,
                [&](Runtime& runtime, const Node& found, Body* body) {
                  if (value == nullptr || !is_kernel_attribute(attr)) return musaErrorInvalidValue;
                  if (attr == musaLaunchAttributeAccessPolicyWindow) {
                    MUSA_RETURN_IF_ERROR(
                        check_window(runtime.current().properties, value->accessPolicyWindow));
                  }
                  auto changed = std::make_shared<NodeBody>(*found.body);
                  std::get<KernelParams>(changed->params).attributes[attr] = *value;
                  *body = std::move(changed);
                  return musaSuccess;
                });
}

musaError_t graph_kernel_node_copy_attributes(musaGraphNode_t hDst, musaGraphNode_t hSrc) {
  return change(hDst, musaGraphNodeTypeKernel, [&](Runtime&, const Node& found, Body* body) {
    const auto source = nodes().find(hSrc);
    if (source == nullptr || source->body->type != musaGraphNodeTypeKernel) {
      return musaErrorInvalidValue;
    }
    auto changed = std::make_shared<NodeBody>(*found.body);
    std::get<KernelParams>(changed->params).attributes =
        std::get<KernelParams>(source->body->params).attributes;
    *body = std::move(changed);
    return musaSuccess;
  });
}

musaError_t graph_add_child_graph_node(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                       const musaGraphNode_t* pDependencies, size_t numDependencies,
                                       musaGraph_t childGraph) {
  return with_graphs([&](Runtime&) {
    const auto found = graphs().find(graph);
    const auto child = graphs().find(childGraph);
    if (pGraphNode == nullptr || found == nullptr || child == nullptr) {
      return musaErrorInvalidValue;
    }
    NodeList dependencies;
    MUSA_RETURN_IF_ERROR(find_nodes(*found, pDependencies, numDependencies, &dependencies));
    std::shared_ptr<Node> node;
    MUSA_RETURN_IF_ERROR(add_child_node(*found, *child, dependencies, &node));
    *pGraphNode = node->handle;
    return musaSuccess;
  });
}

musaError_t graph_child_graph_node_get_graph(musaGraphNode_t node, musaGraph_t* pGraph) {
  return with_graphs([&](Runtime&) {
    const auto found = nodes().find(node);
    if (found == nullptr || found->child == nullptr || pGraph == nullptr) {
      return musaErrorInvalidValue;
    }
    *pGraph = found->child->handle;
    return musaSuccess;
  });
}

musaError_t graph_add_mem_alloc_node(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                     const musaGraphNode_t* pDependencies, size_t numDependencies,
                                     struct musaMemAllocNodeParams* nodeParams) {
  return add(pGraphNode, graph, pDependencies, numDependencies,
             [&](Runtime& runtime, Graph& found, Body* body) {
               if (found.is_child) return musaErrorNotSupported;
               return make_allocation_body(runtime, nodeParams, body);
             });
}

musaError_t graph_mem_alloc_node_get_params(musaGraphNode_t node,
                                            struct musaMemAllocNodeParams* params_out) {
  return read<AllocationParams>(node, musaGraphNodeTypeMemAlloc, params_out,
                                [&](const AllocationParams& allocation) {
                                  *params_out = allocation.params;
                                  return musaSuccess;
                                });
}

musaError_t graph_add_mem_free_node(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                    const musaGraphNode_t* pDependencies, size_t numDependencies,
                                    void* dptr) {
  return add(pGraphNode, graph, pDependencies, numDependencies,
             [&](Runtime& runtime, Graph& found, Body* body) {
               return check_free_body(runtime, found, dptr, body);
             });
}

musaError_t graph_mem_free_node_get_params(musaGraphNode_t node, void* dptr_out) {
  return read<FreeParams>(node, musaGraphNodeTypeMemFree, dptr_out, [&](const FreeParams& params) {
    *static_cast<void**>(dptr_out) = params.pointer;
    return musaSuccess;
  });
}

}  // namespace musa
