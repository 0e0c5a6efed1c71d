// libcuda's adapters for nodes and edges of graphs against the recording backend.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/recording/child.h"
#include "tests/recording/cuda_driver.h"

namespace recording::driver {
namespace {

TEST(CudaLiteral, EdgesLoseDataThatSaysNothing) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        const unsigned char plain[16] = {};
        std::string out;
        for (const char* name : {"cuGraphAddDependencies_v2", "cuGraphRemoveDependencies_v2"}) {
          const bool adds = std::strstr(name, "Add") != nullptr;
          out += objection(driver, name, {0x1000, 0x2000, 0x3000, at(plain), 2},
                           adds ? "muGraphAddDependencies" : "musaGraphRemoveDependencies",
                           {0x1000, 0x2000, 0x3000, 2});
        }
        out += objection(driver, "cuGraphGetEdges_v2", {0x1000, 0x2000, 0x3000, 0, 0x4000},
                         "muGraphGetEdges", {0x1000, 0x2000, 0x3000, 0x4000});
        out += objection(driver, "cuGraphNodeGetDependencies_v2", {0x1000, 0x2000, 0, 0x4000},
                         "muGraphNodeGetDependencies", {0x1000, 0x2000, 0x4000});
        out += objection(driver, "cuGraphNodeGetDependentNodes_v2", {0x1000, 0x2000, 0, 0x4000},
                         "muGraphNodeGetDependentNodes", {0x1000, 0x2000, 0x4000});
        return out;
      }));
}

TEST(CudaLiteral, NodesOfGraphs) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const std::uint64_t kernel[9] = {0x5000};  // CUDA_KERNEL_NODE_PARAMS_v2
              const std::uint64_t params = at(kernel);
              out += objection(driver, "cuGraphAddKernelNode_v2",
                               {0x1000, 0x2000, 0x3000, 1ULL << 33, params}, "muGraphAddKernelNode",
                               {0x1000, 0x2000, 0x3000, 1ULL << 33, params | kCopy});
              out += objection(driver, "cuGraphKernelNodeSetParams_v2", {0x1000, params},
                               "muGraphKernelNodeSetParams", {0x1000, params | kCopy});
              out +=
                  objection(driver, "cuGraphExecKernelNodeSetParams_v2", {0x1000, 0x2000, params},
                            "muGraphExecKernelNodeSetParams", {0x1000, 0x2000, params | kCopy});
              out += objection(driver, "cuGraphKernelNodeGetParams_v2", {0x1000, params},
                               "muGraphKernelNodeGetParams", {0x1000, kOwn});
              const std::uint64_t allocation[15] = {};  // CUDA_MEM_ALLOC_NODE_PARAMS
              out += objection(
                  driver, "cuGraphAddMemAllocNode", {0x1000, 0x2000, 0x3000, 4, at(allocation)},
                  "muGraphAddMemAllocNode", {0x1000, 0x2000, 0x3000, 4, at(allocation) | kCopy});
              out += objection(driver, "cuGraphExecUpdate_v2", {0x1000, 0x2000, 0x3000},
                               "muGraphExecUpdate", {0x1000, 0x2000, kOwn, kOwn});
              // CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES, 2, is left out.
              out += objection(driver, "cuGraphDebugDotPrint", {0x1000, 0x2000, 7},
                               "musaGraphDebugDotPrint", {0x1000, 0x2000, 5});
              return out;
            }));
}

// CUgraphNodeParams.
struct NodeParams {
  std::uint32_t type;
  std::uint32_t reserved[3];
  std::uint64_t of_kind[30];
};
static_assert(sizeof(NodeParams) == 256);

TEST(CudaLiteral, NodesWhoseKindIsAnArgument) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        const unsigned char edges[16] = {};
        std::string out;
        struct Kind {
          std::uint32_t type;
          const char* name;
          Words after;         // What MUSA's function gets behind the dependencies.
          const char* set;     // Null if the node cannot be changed.
          const char* set_in;  // In an executable graph.
          bool has_context;
        };
        NodeParams params = {};
        const std::uint64_t own = at(params.of_kind);
        const std::uint64_t copy = own | kCopy;
        const Kind kinds[] = {
            {0,
             "KernelNode",
             {copy},
             "muGraphKernelNodeSetParams",
             "muGraphExecKernelNodeSetParams",
             false},
            {1,
             "MemcpyNode",
             {(own + 16) | kCopy, 0x7000},
             "muGraphMemcpyNodeSetParams",
             "muGraphExecMemcpyNodeSetParams",
             true},
            {2,
             "MemsetNode",
             {copy, 0x7000},
             "muGraphMemsetNodeSetParams",
             "muGraphExecMemsetNodeSetParams",
             true},
            {3,
             "HostNode",
             {copy},
             "muGraphHostNodeSetParams",
             "muGraphExecHostNodeSetParams",
             false},
            {4, "ChildGraphNode", {0x8000}, nullptr, "muGraphExecChildGraphNodeSetParams", false},
            {5, "EmptyNode", {}, nullptr, nullptr, false},
            {6,
             "EventWaitNode",
             {0x8000},
             "muGraphEventWaitNodeSetEvent",
             "muGraphExecEventWaitNodeSetEvent",
             false},
            {7,
             "EventRecordNode",
             {0x8000},
             "muGraphEventRecordNodeSetEvent",
             "muGraphExecEventRecordNodeSetEvent",
             false},
            {10, "MemAllocNode", {copy}, nullptr, nullptr, false},
            {11, "MemFreeNode", {0x8000}, nullptr, nullptr, false}};
        for (const Kind& kind : kinds) {
          params = {};
          params.type = kind.type;
          // The first word is an address or a handle, except for copies, whose context is second.
          if (kind.type == 1) {
            params.of_kind[1] = 0x7000;
          } else {
            params.of_kind[0] = kind.type == 10 ? 1 : 0x8000;
          }
          if (kind.type == 2) params.of_kind[5] = 0x7000;
          const std::string musa = std::string("muGraphAdd") + kind.name;
          Words expected{0x1000, 0x2000, 0x3000, 2};
          expected.insert(expected.end(), kind.after.begin(), kind.after.end());
          out += objection(driver, "cuGraphAddNode", {0x1000, 0x2000, 0x3000, 2, at(&params)}, musa,
                           expected);
          out += objection(driver, "cuGraphAddNode_v2",
                           {0x1000, 0x2000, 0x3000, at(edges), 2, at(&params)}, musa, expected);
          const std::uint64_t content = kind.after.empty() ? 0 : kind.after[0];
          if (kind.set) {
            out += objection(driver, "cuGraphNodeSetParams", {0x4000, at(&params)}, kind.set,
                             {0x4000, content});
          } else if (driver.call("cuGraphNodeSetParams", {0x4000, at(&params)}) != 801) {
            out += musa + " can be changed\n";
          }
          Words in_exec{0x5000, 0x4000, content};
          if (kind.has_context) in_exec.push_back(0x7000);
          if (kind.set_in) {
            out += objection(driver, "cuGraphExecNodeSetParams", {0x5000, 0x4000, at(&params)},
                             kind.set_in, in_exec);
          } else if (driver.call("cuGraphExecNodeSetParams", {0x5000, 0x4000, at(&params)}) !=
                     801) {
            out += musa + " can be changed in an executable graph\n";
          }
        }
        // Kinds and members that MUSA lacks.
        const auto status = [&](std::uint32_t type, std::size_t word, std::uint64_t value) {
          params = {};
          params.type = type;
          params.of_kind[word] = value;
          return driver.call("cuGraphAddNode", {0x1000, 0x2000, 0x3000, 0, at(&params)});
        };
        if (status(13, 0, 0) != 801) out += "conditional nodes\n";
        if (status(99, 0, 0) != 1) out += "a kind that does not exist\n";
        if (status(0, 7, 0x6000) != 801) out += "a kernel of a library\n";
        if (status(3, 3, 0x6000) != 801) out += "a context of a host function\n";
        if (status(7, 1, 0x6000) != 801) out += "a context of an event\n";
        if (status(4, 1, 1) != 801) out += "a graph that is not copied\n";
        if (driver.call("cuGraphAddNode", {0x1000, 0x2000, 0x3000, 0, 0}) != 1) out += "null\n";
        return out;
      }));
}

}  // namespace
}  // namespace recording::driver
