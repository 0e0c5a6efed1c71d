// Functions that make nodes, and that read and change what they do.
#include <optional>

#include "src/host/musart/event.h"
#include "src/host/musart/graph/graph.h"

namespace musart {
namespace {

// `make` fills in the body after all other arguments were checked.
template <typename Make>
musaError_t add(musaGraphNode_t* out, musaGraph_t handle, const musaGraphNode_t* dependencies,
                size_t count, Make&& make) {
  return with_graphs([&](Runtime& runtime) {
    const auto graph = graphs().find(handle);
    if (out == nullptr || graph == nullptr) return musaErrorInvalidValue;
    NodeList found;
    MUSART_RETURN_IF_ERROR(find_nodes(*graph, dependencies, count, &found));
    Body body;
    MUSART_RETURN_IF_ERROR(make(runtime, *graph, &body));
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
    MUSART_RETURN_IF_ERROR(make(runtime, *node, &body));
    node->body = std::move(body);
    return musaSuccess;
  });
}

musaError_t add_event_node(musaGraphNodeType type, musaGraphNode_t* out, musaGraph_t graph,
                           const musaGraphNode_t* dependencies, size_t count, musaEvent_t event) {
  return add(out, graph, dependencies, count,
             [&](Runtime&, Graph&, Body* body) { return make_event_body(type, event, body); });
}

musaError_t read_event(musaGraphNodeType type, musaGraphNode_t node, musaEvent_t* out) {
  return read<EventParams>(node, type, out, [&](const EventParams& params) {
    *out = reinterpret_cast<musaEvent_t>(params.event.get());
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
  MUSART_RETURN_IF_ERROR(make_free_body(runtime, pointer, body));
  return is_freed_in(graph, (*body)->block().get()) ? musaErrorInvalidValue : musaSuccess;
}

}  // namespace musart

using musart::Body;
using musart::Graph;
using musart::KernelParams;
using musart::Node;
using musart::nodes;
using musart::Runtime;
using musart::with_graphs;

musaError_t musaGraphAddEmptyNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                  const musaGraphNode_t* pDependencies, size_t numDependencies) {
  return musart::add(pGraphNode, graph, pDependencies, numDependencies,
                     [](Runtime&, Graph&, Body* body) {
                       *body = musart::make_empty_body(musaGraphNodeTypeEmpty);
                       return musaSuccess;
                     });
}

musaError_t musaGraphAddMemcpyNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                   const musaGraphNode_t* pDependencies, size_t numDependencies,
                                   const struct musaMemcpy3DParms* pCopyParams) {
  return musart::add(pGraphNode, graph, pDependencies, numDependencies,
                     [&](Runtime& runtime, Graph&, Body* body) {
                       return musart::make_copy_body(runtime, pCopyParams, body);
                     });
}

musaError_t musaGraphAddMemcpyNode1D(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                     const musaGraphNode_t* pDependencies, size_t numDependencies,
                                     void* dst, const void* src, size_t count,
                                     enum musaMemcpyKind kind) {
  return musart::add(pGraphNode, graph, pDependencies, numDependencies,
                     [&](Runtime& runtime, Graph&, Body* body) {
                       return musart::make_flat_copy_body(runtime, dst, src, count, kind, body);
                     });
}

musaError_t musaGraphMemcpyNodeGetParams(musaGraphNode_t node,
                                         struct musaMemcpy3DParms* pNodeParams) {
  return musart::read<musaMemcpy3DParms>(node, musaGraphNodeTypeMemcpy, pNodeParams,
                                         [&](const musaMemcpy3DParms& params) {
                                           *pNodeParams = params;
                                           return musaSuccess;
                                         });
}

musaError_t musaGraphMemcpyNodeSetParams(musaGraphNode_t node,
                                         const struct musaMemcpy3DParms* pNodeParams) {
  return musart::change(node, musaGraphNodeTypeMemcpy,
                        [&](Runtime& runtime, const Node&, Body* body) {
                          return musart::make_copy_body(runtime, pNodeParams, body);
                        });
}

musaError_t musaGraphMemcpyNodeSetParams1D(musaGraphNode_t node, void* dst, const void* src,
                                           size_t count, enum musaMemcpyKind kind) {
  return musart::change(node, musaGraphNodeTypeMemcpy,
                        [&](Runtime& runtime, const Node&, Body* body) {
                          return musart::make_flat_copy_body(runtime, dst, src, count, kind, body);
                        });
}

musaError_t musaGraphAddMemsetNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                   const musaGraphNode_t* pDependencies, size_t numDependencies,
                                   const struct musaMemsetParams* pMemsetParams) {
  return musart::add(pGraphNode, graph, pDependencies, numDependencies,
                     [&](Runtime& runtime, Graph&, Body* body) {
                       return musart::make_fill_body(runtime, pMemsetParams, body);
                     });
}

musaError_t musaGraphMemsetNodeGetParams(musaGraphNode_t node,
                                         struct musaMemsetParams* pNodeParams) {
  return musart::read<musaMemsetParams>(node, musaGraphNodeTypeMemset, pNodeParams,
                                        [&](const musaMemsetParams& params) {
                                          *pNodeParams = params;
                                          return musaSuccess;
                                        });
}

musaError_t musaGraphMemsetNodeSetParams(musaGraphNode_t node,
                                         const struct musaMemsetParams* pNodeParams) {
  return musart::change(node, musaGraphNodeTypeMemset,
                        [&](Runtime& runtime, const Node&, Body* body) {
                          return musart::make_fill_body(runtime, pNodeParams, body);
                        });
}

musaError_t musaGraphAddHostNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                 const musaGraphNode_t* pDependencies, size_t numDependencies,
                                 const struct musaHostNodeParams* pNodeParams) {
  return musart::add(
      pGraphNode, graph, pDependencies, numDependencies,
      [&](Runtime&, Graph&, Body* body) { return musart::make_host_body(pNodeParams, body); });
}

musaError_t musaGraphHostNodeGetParams(musaGraphNode_t node,
                                       struct musaHostNodeParams* pNodeParams) {
  return musart::read<musaHostNodeParams>(node, musaGraphNodeTypeHost, pNodeParams,
                                          [&](const musaHostNodeParams& params) {
                                            *pNodeParams = params;
                                            return musaSuccess;
                                          });
}

musaError_t musaGraphHostNodeSetParams(musaGraphNode_t node,
                                       const struct musaHostNodeParams* pNodeParams) {
  return musart::change(node, musaGraphNodeTypeHost, [&](Runtime&, const Node&, Body* body) {
    return musart::make_host_body(pNodeParams, body);
  });
}

// Programs can make and read kernel nodes, but not instantiate their graph: a CPU has no device
// code.
musaError_t musaGraphAddKernelNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                   const musaGraphNode_t* pDependencies, size_t numDependencies,
                                   const struct musaKernelNodeParams* pNodeParams) {
  return musart::add(
      pGraphNode, graph, pDependencies, numDependencies,
      [&](Runtime&, Graph&, Body* body) { return musart::make_kernel_body(pNodeParams, body); });
}

musaError_t musaGraphKernelNodeGetParams(musaGraphNode_t node,
                                         struct musaKernelNodeParams* pNodeParams) {
  return musart::read<KernelParams>(node, musaGraphNodeTypeKernel, pNodeParams,
                                    [&](const KernelParams& kernel) {
                                      *pNodeParams = kernel.params;
                                      return musaSuccess;
                                    });
}

musaError_t musaGraphKernelNodeSetParams(musaGraphNode_t node,
                                         const struct musaKernelNodeParams* pNodeParams) {
  return musart::change(node, musaGraphNodeTypeKernel,
                        [&](Runtime&, const Node& found, Body* body) {
                          MUSART_RETURN_IF_ERROR(musart::make_kernel_body(pNodeParams, body));
                          auto changed = std::make_shared<musart::NodeBody>(*found.body);
                          std::get<KernelParams>(changed->params).params = *pNodeParams;
                          *body = std::move(changed);
                          return musaSuccess;
                        });
}

musaError_t musaGraphKernelNodeGetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
                                            musaLaunchAttributeValue* value_out) {
  return musart::read<KernelParams>(
      hNode, musaGraphNodeTypeKernel, value_out, [&](const KernelParams& kernel) {
        if (!musart::is_kernel_attribute(attr)) return musaErrorInvalidValue;
        const auto found = kernel.attributes.find(attr);
        *value_out = found == kernel.attributes.end() ? musaLaunchAttributeValue{} : found->second;
        return musaSuccess;
      });
}

musaError_t musaGraphKernelNodeSetAttribute(musaGraphNode_t hNode, musaLaunchAttributeID attr,
                                            const musaLaunchAttributeValue* value) {
  return musart::change(hNode, musaGraphNodeTypeKernel,
                        [&](Runtime&, const Node& found, Body* body) {
                          if (value == nullptr || !musart::is_kernel_attribute(attr))
                            return musaErrorInvalidValue;
                          auto changed = std::make_shared<musart::NodeBody>(*found.body);
                          std::get<KernelParams>(changed->params).attributes[attr] = *value;
                          *body = std::move(changed);
                          return musaSuccess;
                        });
}

musaError_t musaGraphKernelNodeCopyAttributes(musaGraphNode_t hDst, musaGraphNode_t hSrc) {
  return musart::change(hDst, musaGraphNodeTypeKernel,
                        [&](Runtime&, const Node& found, Body* body) {
                          const auto source = nodes().find(hSrc);
                          if (source == nullptr || source->body->type != musaGraphNodeTypeKernel) {
                            return musaErrorInvalidValue;
                          }
                          auto changed = std::make_shared<musart::NodeBody>(*found.body);
                          std::get<KernelParams>(changed->params).attributes =
                              std::get<KernelParams>(source->body->params).attributes;
                          *body = std::move(changed);
                          return musaSuccess;
                        });
}

musaError_t musaGraphAddChildGraphNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                       const musaGraphNode_t* pDependencies, size_t numDependencies,
                                       musaGraph_t childGraph) {
  return with_graphs([&](Runtime&) {
    const auto found = musart::graphs().find(graph);
    const auto child = musart::graphs().find(childGraph);
    if (pGraphNode == nullptr || found == nullptr || child == nullptr) {
      return musaErrorInvalidValue;
    }
    musart::NodeList dependencies;
    MUSART_RETURN_IF_ERROR(
        musart::find_nodes(*found, pDependencies, numDependencies, &dependencies));
    std::shared_ptr<Node> node;
    MUSART_RETURN_IF_ERROR(musart::add_child_node(*found, *child, dependencies, &node));
    *pGraphNode = node->handle;
    return musaSuccess;
  });
}

musaError_t musaGraphChildGraphNodeGetGraph(musaGraphNode_t node, musaGraph_t* pGraph) {
  return with_graphs([&](Runtime&) {
    const auto found = nodes().find(node);
    if (found == nullptr || found->child == nullptr || pGraph == nullptr) {
      return musaErrorInvalidValue;
    }
    *pGraph = found->child->handle;
    return musaSuccess;
  });
}

musaError_t musaGraphAddEventRecordNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                        const musaGraphNode_t* pDependencies,
                                        size_t numDependencies, musaEvent_t event) {
  return musart::add_event_node(musaGraphNodeTypeEventRecord, pGraphNode, graph, pDependencies,
                                numDependencies, event);
}

musaError_t musaGraphAddEventWaitNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                      const musaGraphNode_t* pDependencies, size_t numDependencies,
                                      musaEvent_t event) {
  return musart::add_event_node(musaGraphNodeTypeEventWait, pGraphNode, graph, pDependencies,
                                numDependencies, event);
}

musaError_t musaGraphEventRecordNodeGetEvent(musaGraphNode_t node, musaEvent_t* event_out) {
  return musart::read_event(musaGraphNodeTypeEventRecord, node, event_out);
}

musaError_t musaGraphEventRecordNodeSetEvent(musaGraphNode_t node, musaEvent_t event) {
  return musart::change_event(musaGraphNodeTypeEventRecord, node, event);
}

musaError_t musaGraphEventWaitNodeGetEvent(musaGraphNode_t node, musaEvent_t* event_out) {
  return musart::read_event(musaGraphNodeTypeEventWait, node, event_out);
}

musaError_t musaGraphEventWaitNodeSetEvent(musaGraphNode_t node, musaEvent_t event) {
  return musart::change_event(musaGraphNodeTypeEventWait, node, event);
}

musaError_t musaGraphAddMemAllocNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                     const musaGraphNode_t* pDependencies, size_t numDependencies,
                                     struct musaMemAllocNodeParams* nodeParams) {
  return musart::add(pGraphNode, graph, pDependencies, numDependencies,
                     [&](Runtime& runtime, Graph& found, Body* body) {
                       if (found.is_child) return musaErrorNotSupported;
                       return musart::make_allocation_body(runtime, nodeParams, body);
                     });
}

musaError_t musaGraphMemAllocNodeGetParams(musaGraphNode_t node,
                                           struct musaMemAllocNodeParams* params_out) {
  return musart::read<musart::AllocationParams>(node, musaGraphNodeTypeMemAlloc, params_out,
                                                [&](const musart::AllocationParams& allocation) {
                                                  *params_out = allocation.params;
                                                  return musaSuccess;
                                                });
}

musaError_t musaGraphAddMemFreeNode(musaGraphNode_t* pGraphNode, musaGraph_t graph,
                                    const musaGraphNode_t* pDependencies, size_t numDependencies,
                                    void* dptr) {
  return musart::add(pGraphNode, graph, pDependencies, numDependencies,
                     [&](Runtime& runtime, Graph& found, Body* body) {
                       return musart::check_free_body(runtime, found, dptr, body);
                     });
}

musaError_t musaGraphMemFreeNodeGetParams(musaGraphNode_t node, void* dptr_out) {
  return musart::read<musart::FreeParams>(node, musaGraphNodeTypeMemFree, dptr_out,
                                          [&](const musart::FreeParams& params) {
                                            *static_cast<void**>(dptr_out) = params.pointer;
                                            return musaSuccess;
                                          });
}
