// libcuda's adapters against the recording backend: what a program passes and what MUSA gets. The
// backend returns numbers that are not success, so an adapter never makes a second call of a
// function that does the work.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

constexpr const char* kFile = "driver/libcuda.so.1";
constexpr int kUnknown = 999;  // CUDA_ERROR_UNKNOWN, for a number that is no status.

// kOwn: a value that the adapter supplies, such as the address of its own variable.
constexpr std::uint64_t kOwn = ~std::uint64_t{0};

std::uint64_t at(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

// Calls that ask about the thread: they come around those of the runtime.
bool does_the_work(const LoggedCall& call) {
  return call.musa != "muCtxGetCurrent" && call.musa != "musaPeekAtLastError" &&
         call.musa != "musaGetLastError";
}

CallLog work_log() {
  CallLog out;
  for (const LoggedCall& call : backend_log()) {
    if (does_the_work(call)) out.push_back(call);
  }
  return out;
}

// A library for which the driver is initialised and a context is current.
Library opened() {
  static const std::uint64_t context = 0x77000;
  recording_answer("muCtxGetCurrent", 0);
  recording_write("muCtxGetCurrent", 0, &context, sizeof context);
  return {kFile, MUSA_ROOT};
}

// Empty if the call arrived as one call of `musa` with these words.
std::string objection(const Library& driver, const std::string& cuda, const Words& passed,
                      const std::string& musa, const Words& expected) {
  const int status = driver.call(cuda, passed);
  const CallLog log = work_log();
  if (log.size() != 1 || log[0].musa != musa) {
    return cuda + ": " + std::to_string(log.size()) + " calls" +
           (log.empty() ? "" : ", the first of " + log[0].musa) + "\n";
  }
  std::string out;
  if (status != kUnknown) out += cuda + ": status " + std::to_string(status) + "\n";
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint64_t got = received(log[0], i);
    // The upper half of an int is undefined.
    const bool small = expected[i] < 0x1000;
    if (expected[i] == kOwn ? got > 0xffff : (small ? got & 0xffffffff : got) == expected[i]) {
      continue;
    }
    out += cuda + ": argument " + std::to_string(i) + " is " + std::to_string(got) + "\n";
  }
  return out;
}

struct Literal {
  const char* cuda;
  const char* musa;
  Words passed;
  Words received;
};

// Functions whose arguments MUSA's function takes as they are.
const Literal kUnchanged[] = {
    {"cuUserObjectCreate", "musaUserObjectCreate", {0x1000, 0x2000, 0x3000, 4, 1}, {}},
    {"cuUserObjectRetain", "musaUserObjectRetain", {0x1000, 4}, {}},
    {"cuUserObjectRelease", "musaUserObjectRelease", {0x1000, 4}, {}},
    {"cuGraphRetainUserObject", "musaGraphRetainUserObject", {0x1000, 0x2000, 4, 1}, {}},
    {"cuGraphReleaseUserObject", "musaGraphReleaseUserObject", {0x1000, 0x2000, 4}, {}},
    {"cuGraphInstantiateWithFlags",
     "musaGraphInstantiateWithFlags",
     {0x1000, 0x2000, 1ULL << 40},
     {}},
    {"cuGraphInstantiateWithParams",
     "musaGraphInstantiateWithParams",
     {0x1000, 0x2000, 0x3000},
     {}},
    {"cuGraphExecGetFlags", "musaGraphExecGetFlags", {0x1000, 0x2000}, {}},
    {"cuGraphMemAllocNodeGetParams", "musaGraphMemAllocNodeGetParams", {0x1000, 0x2000}, {}},
    {"cuGraphMemFreeNodeGetParams", "musaGraphMemFreeNodeGetParams", {0x1000, 0x2000}, {}},
    {"cuGraphNodeGetEnabled", "musaGraphNodeGetEnabled", {0x1000, 0x2000, 0x3000}, {}},
    {"cuGraphNodeSetEnabled", "musaGraphNodeSetEnabled", {0x1000, 0x2000, 1}, {}},
    {"cuGraphKernelNodeCopyAttributes", "musaGraphKernelNodeCopyAttributes", {0x1000, 0x2000}, {}},
    {"cuGraphKernelNodeGetAttribute", "musaGraphKernelNodeGetAttribute", {0x1000, 2, 0x3000}, {}},
    {"cuGraphKernelNodeSetAttribute", "musaGraphKernelNodeSetAttribute", {0x1000, 2, 0x3000}, {}},
    {"cuGraphRemoveDependencies",
     "musaGraphRemoveDependencies",
     {0x1000, 0x2000, 0x3000, 1ULL << 33},
     {}},
    {"cuMemPoolCreate", "musaMemPoolCreate", {0x1000, 0x2000}, {}},
    {"cuMemPoolDestroy", "musaMemPoolDestroy", {0x1000}, {}},
    {"cuMemPoolTrimTo", "musaMemPoolTrimTo", {0x1000, 1ULL << 33}, {}},
    {"cuMemPoolGetAttribute", "musaMemPoolGetAttribute", {0x1000, 4, 0x2000}, {}},
    {"cuMemPoolSetAttribute", "musaMemPoolSetAttribute", {0x1000, 4, 0x2000}, {}},
    {"cuMemPoolGetAccess", "musaMemPoolGetAccess", {0x1000, 0x2000, 0x3000}, {}},
    {"cuMemPoolSetAccess", "musaMemPoolSetAccess", {0x1000, 0x2000, 1ULL << 33}, {}},
    {"cuMemPoolExportToShareableHandle",
     "musaMemPoolExportToShareableHandle",
     {0x1000, 0x2000, 1, 0},
     {}},
    {"cuMemPoolImportFromShareableHandle",
     "musaMemPoolImportFromShareableHandle",
     {0x1000, 0x2000, 1, 0},
     {}},
    {"cuMemPoolExportPointer", "musaMemPoolExportPointer", {0x1000, 0x2000}, {}},
    {"cuMemPoolImportPointer", "musaMemPoolImportPointer", {0x1000, 0x2000, 0x3000}, {}},
    {"cuDeviceGetDefaultMemPool", "musaDeviceGetDefaultMemPool", {0x1000, 1}, {}},
    {"cuDeviceGetMemPool", "musaDeviceGetMemPool", {0x1000, 1}, {}},
    {"cuDeviceSetMemPool", "musaDeviceSetMemPool", {1, 0x1000}, {}},
    {"cuThreadExchangeStreamCaptureMode", "musaThreadExchangeStreamCaptureMode", {0x1000}, {}},
    {"cuMemGetAllocationPropertiesFromHandle",
     "muMemGetAllocationPropertiesFromHandle",
     {0x1000, 1ULL << 40},
     {}},
    {"cuProfilerStart", "musaProfilerStart", {}, {}},
    {"cuCtxDestroy", "muCtxDestroy_v2", {0x1000}, {}},
    {"cuCtxDestroy_v2", "muCtxDestroy_v2", {0x1000}, {}},
    {"cuLibraryUnload", "muModuleUnload", {0x1000}, {}},
    {"cuLibraryGetKernel", "muModuleGetFunction", {0x1000, 0x2000, 0x3000}, {}},
    {"cuLibraryGetGlobal", "muModuleGetGlobal_v2", {0x1000, 0x2000, 0x3000, 0x4000}, {}},
    {"cuKernelGetLibrary", "muFuncGetModule", {0x1000, 0x2000}, {}},
    {"cuProfilerStop", "musaProfilerStop", {}, {}},
};

// Functions that work in a stream: the words before the stream, and after it.
struct InStream {
  const char* cuda;
  const char* musa;
  Words before;
  Words after;
  Words after_received;  // If it differs.
};

const InStream kInStream[] = {
    {"cuStreamIsCapturing", "musaStreamIsCapturing", {}, {0x2000}, {}},
    {"cuStreamGetCaptureInfo",
     "musaStreamGetCaptureInfo_v2",
     {},
     {0x2000, 0x3000},
     {0x2000, 0x3000, 0, 0, 0}},
    {"cuStreamGetCaptureInfo_v2",
     "musaStreamGetCaptureInfo_v2",
     {},
     {0x2000, 0x3000, 0x4000, 0x5000, 0x6000},
     {}},
    {"cuStreamGetCaptureInfo_v3",
     "musaStreamGetCaptureInfo_v2",
     {},
     {0x2000, 0x3000, 0x4000, 0x5000, 0, 0x6000},
     {0x2000, 0x3000, 0x4000, 0x5000, 0x6000}},
    {"cuStreamUpdateCaptureDependencies",
     "musaStreamUpdateCaptureDependencies",
     {},
     {0x2000, 1ULL << 33, 1},
     {}},
    {"cuStreamUpdateCaptureDependencies_v2",
     "musaStreamUpdateCaptureDependencies",
     {},
     {0x2000, 0, 1ULL << 33, 1},
     {0x2000, 1ULL << 33, 1}},
    {"cuStreamBeginCapture", "muStreamBeginCapture_v2", {}, {}, {0}},
    {"cuStreamGetDevice", "muStreamGetCtx", {}, {0x2000}, {kOwn}},
    {"cuStreamGetCtx_v2", "muStreamGetCtx", {}, {0x2000, 0x3000}, {0x2000}},
    {"cuStreamGetId", "musaStreamGetId", {}, {0x2000}, {}},
    {"cuStreamGetAttribute", "muStreamGetAttribute", {}, {3, 0x2000}, {3, kOwn}},
    {"cuStreamGetAttribute", "muStreamGetPriority", {}, {8, 0x2000}, {0x2000}},
    {"cuLaunchHostFunc_v2", "muLaunchHostFunc", {}, {0x2000, 0x3000, 1}, {0x2000, 0x3000}},
    {"cuMemAllocAsync", "musaMallocAsync", {0x1000, 1ULL << 33}, {}, {}},
    {"cuMemFreeAsync", "musaFreeAsync", {0x1000}, {}, {}},
    {"cuMemAllocFromPoolAsync", "musaMallocFromPoolAsync", {0x1000, 1ULL << 33, 0x2000}, {}, {}},
    {"cuMemPrefetchAsync", "musaMemPrefetchAsync", {0x1000, 1ULL << 33, 1}, {}, {}},
    {"cuGraphUpload", "musaGraphUpload", {0x1000}, {}, {}},
};

TEST(CudaLiteral, ArgumentsArriveAsTheyAre) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              for (const Literal& literal : kUnchanged) {
                out +=
                    objection(driver, literal.cuda, literal.passed, literal.musa, literal.passed);
              }
              return out;
            }));
}

TEST(CudaLiteral, StreamsArriveAndNullIsTheThreadsOwnInPtsz) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const auto check = [&](const InStream& row, const std::string& suffix,
                                     std::uint64_t stream, std::uint64_t expected) {
                Words passed = row.before;
                passed.push_back(stream);
                passed.insert(passed.end(), row.after.begin(), row.after.end());
                Words received = row.before;
                received.push_back(expected);
                const Words& rest = row.after_received.empty() ? row.after : row.after_received;
                received.insert(received.end(), rest.begin(), rest.end());
                out += objection(driver, row.cuda + suffix, passed, row.musa, received);
              };
              for (const InStream& row : kInStream) {
                check(row, "", 0, 0);
                check(row, "", 0x9000, 0x9000);
                check(row, "_ptsz", 0, 2);
                check(row, "_ptsz", 0x9000, 0x9000);
              }
              return out;
            }));
}

TEST(CudaLiteral, LocationsBecomeDevices) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              // {type, id} in one register.
              constexpr std::uint64_t kDevice = (std::uint64_t{3} << 32) | 1;
              constexpr std::uint64_t kHost = (std::uint64_t{5} << 32) | 2;
              constexpr std::uint64_t kMinusOne = 0xffffffff;
              std::string out;
              const auto device_of = [&](const char* name, const Words& words, std::size_t index) {
                driver.call(name, words);
                const CallLog log = work_log();
                return log.size() == 1 ? received(log[0], index) & 0xffffffff : 99;
              };
              for (const char* name : {"cuMemPrefetchAsync_v2", "cuMemPrefetchAsync_v2_ptsz"}) {
                if (device_of(name, {0x1000, 64, kDevice, 0, 0x9000}, 2) != 3) out += "device\n";
                if (device_of(name, {0x1000, 64, kHost, 0, 0x9000}, 2) != kMinusOne)
                  out += "host\n";
              }
              out += objection(driver, "cuMemAdvise_v2", {0x1000, 64, 3, kDevice}, "muMemAdvise",
                               {0x1000, 64, 3, 3});
              if (device_of("cuMemAdvise_v2", {0x1000, 64, 5, kHost}, 3) != kMinusOne) {
                out += "cuMemAdvise_v2: host\n";
              }
              const std::uint64_t place = kDevice;
              out += objection(driver, "cuMemGetDefaultMemPool", {0x1000, at(&place), 1},
                               "musaDeviceGetDefaultMemPool", {0x1000, 3});
              out += objection(driver, "cuMemGetMemPool", {0x1000, at(&place), 1},
                               "musaDeviceGetMemPool", {0x1000, 3});
              out += objection(driver, "cuMemSetMemPool", {at(&place), 1, 0x1000},
                               "musaDeviceSetMemPool", {3, 0x1000});
              return out;
            }));
}

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
                               {0x1000, 0x2000, 0x3000, 1ULL << 33, params});
              out += objection(driver, "cuGraphKernelNodeSetParams_v2", {0x1000, params},
                               "muGraphKernelNodeSetParams", {0x1000, params});
              out +=
                  objection(driver, "cuGraphExecKernelNodeSetParams_v2", {0x1000, 0x2000, params},
                            "muGraphExecKernelNodeSetParams", {0x1000, 0x2000, params});
              out += objection(driver, "cuGraphKernelNodeGetParams_v2", {0x1000, params},
                               "muGraphKernelNodeGetParams", {0x1000, kOwn});
              const std::uint64_t allocation[15] = {};  // CUDA_MEM_ALLOC_NODE_PARAMS
              out += objection(
                  driver, "cuGraphAddMemAllocNode", {0x1000, 0x2000, 0x3000, 4, at(allocation)},
                  "muGraphAddMemAllocNode", {0x1000, 0x2000, 0x3000, 4, at(allocation)});
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
        const Kind kinds[] = {
            {0,
             "KernelNode",
             {own},
             "muGraphKernelNodeSetParams",
             "muGraphExecKernelNodeSetParams",
             false},
            {1,
             "MemcpyNode",
             {own + 16, 0x7000},
             "muGraphMemcpyNodeSetParams",
             "muGraphExecMemcpyNodeSetParams",
             true},
            {2,
             "MemsetNode",
             {own, 0x7000},
             "muGraphMemsetNodeSetParams",
             "muGraphExecMemsetNodeSetParams",
             true},
            {3,
             "HostNode",
             {own},
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
            {10, "MemAllocNode", {own}, nullptr, nullptr, false},
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

// CUlaunchConfig.
struct Config {
  std::uint32_t shape[7];
  std::uint32_t pad;
  std::uint64_t stream;
  std::uint64_t attributes;
  std::uint64_t count;
};
static_assert(sizeof(Config) == 56);

TEST(CudaLiteral, LaunchesWithAttributes) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        std::uint64_t attributes[18] = {4, 2, 0, 0, 0, 0, 0, 0, 0, 2, 1};
        const Config plain{{1, 2, 3, 4, 5, 6, 7}, 0, 0x9000, 0, 0};
        const Config clustered{{1, 2, 3, 4, 5, 6, 7}, 0, 0, at(attributes), 2};
        std::string out;
        out += objection(driver, "cuLaunchKernelEx", {at(&plain), 0x1000, 0x2000, 0x3000},
                         "muLaunchKernel", {0x1000, 1, 2, 3, 4, 5, 6, 7, 0x9000, 0x2000, 0x3000});
        out += objection(driver, "cuLaunchKernelEx", {at(&clustered), 0x1000, 0x2000, 0x3000},
                         "muLaunchKernelEx", {kOwn, 0x1000, 0x2000, 0x3000});
        recording_look("muLaunchKernelEx", 0, 0);
        out += objection(driver, "cuLaunchKernelEx_ptsz", {at(&clustered), 0x1000, 0x2000, 0x3000},
                         "muLaunchKernelEx", {kOwn, 0x1000, 0x2000, 0x3000});
        for (const char* name : {"cuLaunchCooperativeKernel", "cuLaunchCooperativeKernel_ptsz"}) {
          out += objection(driver, name, {0x1000, 1, 2, 3, 4, 5, 6, 7, 0x9000, 0x2000},
                           "muLaunchKernelEx", {kOwn, 0x1000, 0x2000, 0});
          const recording_call call = recording_get(recording_count() - 1);
          const std::uint32_t shape[4] = {1, 2, 3, 4};
          if (std::memcmp(call.seen[0], shape, sizeof shape) != 0) {
            out += std::string(name) + ": another shape\n";
          }
        }
        attributes[9] = 10;  // CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
        if (driver.call("cuLaunchKernelEx", {at(&clustered), 0x1000}) != 801 ||
            !backend_log().empty()) {
          out += "an attribute that MUSA lacks arrived\n";
        }
        return out;
      }));
}

TEST(CudaLiteral, CopiesOfArraysAreRows) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        recording_look("muMemcpy2D_v2", 0, 0);
        std::string out;
        const auto first_words = [&](const char* name, const Words& words,
                                     const std::vector<std::uint64_t>& expected) {
          out += objection(driver, name, words, "muMemcpy2D_v2", {kOwn});
          const recording_call call = recording_get(recording_count() - 1);
          if (std::memcmp(call.seen[0], expected.data(), 16) != 0) {
            out += std::string(name) + ": another source\n";
          }
        };
        // srcXInBytes and srcY.
        first_words("cuMemcpyAtoA_v2", {0x1000, 8, 0x2000, 24, 64}, {24, 0});
        first_words("cuMemcpyAtoD_v2", {0x1000, 0x2000, 24, 64}, {24, 0});
        first_words("cuMemcpyDtoA_v2", {0x1000, 24, 0x2000, 64}, {0, 0});
        for (const char* name :
             {"cuMemcpyAtoA_v2_ptds", "cuMemcpyAtoD_v2_ptds", "cuMemcpyDtoA_v2_ptds"}) {
          out += objection(driver, name, {0x1000, 8, 0x2000, 24, 64}, "muStreamSynchronize", {2});
        }
        return out;
      }));
}

TEST(CudaLiteral, StreamAttributesArriveInMusasStruct) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              recording_look("muStreamSetAttribute", 0, 2);
              const std::uint64_t window[8] = {0x4000, 1ULL << 33, 5, 6};
              std::string out;
              for (const char* name : {"cuStreamSetAttribute", "cuStreamSetAttribute_ptsz"}) {
                out += objection(driver, name, {0x9000, 1, at(window)}, "muStreamSetAttribute",
                                 {0x9000, 1, kOwn});
                const recording_call call = recording_get(recording_count() - 1);
                if (std::memcmp(call.seen[0], window, sizeof call.seen[0]) != 0) {
                  out += std::string(name) + ": another window\n";
                }
              }
              return out;
            }));
}

TEST(CudaLiteral, OldSizesAreWidened) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              return objection(driver, "cuMemAllocHost", {0x1000, 0xfffffff0ffffffff},
                               "muMemAllocHost_v2", {0x1000, 0xffffffff});
            }));
}

// An image that is none of NVIDIA's.
constexpr const char* kImage = "an image of MUSA's";

TEST(CudaLiteral, LibrariesAreModules) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        std::string out;
        // CU_LIBRARY_BINARY_IS_PRESERVED
        const std::uint32_t preserved = 1;
        out += objection(driver, "cuLibraryLoadData",
                         {0x1000, at(kImage), 0x2000, 0x3000, 4, at(&preserved), 0x5000, 1},
                         "muModuleLoadDataEx", {0x1000, at(kImage), 4, 0x2000, 0x3000});
        out += objection(driver, "cuLibraryLoadFromFile",
                         {0x1000, at("/nonexistent/image"), 0x2000, 0x3000, 4, 0, 0, 0},
                         "muModuleLoad", {0x1000});
        // CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE
        const std::uint32_t table = 0;
        for (const char* name : {"cuLibraryLoadData", "cuLibraryLoadFromFile"}) {
          if (driver.call(name, {0x1000, at(kImage), 0, 0, 0, at(&table), 0x5000, 1}) != 801 ||
              !work_log().empty()) {
            out += std::string(name) + " takes an option that MUSA lacks\n";
          }
          if (driver.call(name, {0x1000, at(kImage), 0, 0, 0, 0, 0, 1}) != 1) {
            out += std::string(name) + " takes options that are null\n";
          }
        }
        // A library is the module, and a kernel the function.
        for (const char* name : {"cuLibraryGetModule", "cuKernelGetFunction"}) {
          std::uint64_t found = 0;
          if (driver.call(name, {at(&found), 0x7000}) != 0 || found != 0x7000) {
            out += std::string(name) + ": another handle\n";
          }
          if (driver.call(name, {at(&found), 0}) != 1) out += std::string(name) + ": null\n";
        }
        return out;
      }));
}

TEST(CudaLiteral, KernelsAreAskedAboutTheirDevice) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        const std::uint32_t device = 3;
        recording_answer("muCtxGetDevice", 0);
        recording_write("muCtxGetDevice", 0, &device, sizeof device);
        std::string out;
        const auto last = [&](const char* name, const Words& words, const char* musa,
                              const Words& expected) {
          driver.call(name, words);
          const CallLog log = work_log();
          if (log.size() != 2 || log[1].musa != musa) {
            out += std::string(name) + ": " + std::to_string(log.size()) + " calls\n";
            return;
          }
          for (std::size_t i = 0; i < expected.size(); ++i) {
            if ((received(log[1], i) & 0xffffffff) != expected[i]) {
              out += std::string(name) + ": argument " + std::to_string(i) + "\n";
            }
          }
        };
        last("cuKernelGetAttribute", {0x1000, 4, 0x2000, 3}, "muFuncGetAttribute",
             {0x1000, 4, 0x2000});
        last("cuKernelSetAttribute", {8, 4096, 0x2000, 3}, "muFuncSetAttribute", {0x2000, 8, 4096});
        last("cuKernelSetCacheConfig", {0x2000, 2, 3}, "muFuncSetCacheConfig", {0x2000, 2});
        const std::pair<const char*, Words> others[] = {
            {"cuKernelGetAttribute", {0x1000, 4, 0x2000, 1}},
            {"cuKernelSetAttribute", {8, 4096, 0x2000, 1}},
            {"cuKernelSetCacheConfig", {0x2000, 2, 1}}};
        for (const auto& [name, words] : others) {
          if (driver.call(name, words) != 801 || work_log().size() != 1) {
            out += std::string(name) + " serves another device\n";
          }
        }
        return out;
      }));
}

TEST(CudaLiteral, FunctionsAreLoadedWithTheirModule) {
  EXPECT_EQ(
      "", in_child([] {
        const Library driver = opened();
        std::string out;
        std::uint32_t state = 99;
        out += objection(driver, "cuFuncIsLoaded", {at(&state), 0x2000}, "muFuncGetAttribute",
                         {kOwn, 0, 0x2000});
        out += objection(driver, "cuFuncLoad", {0x2000}, "muFuncGetAttribute", {kOwn, 0, 0x2000});
        if (state != 99) out += "a state of a function that MUSA does not know\n";
        recording_answer("muFuncGetAttribute", 0);
        if (driver.call("cuFuncIsLoaded", {at(&state), 0x2000}) != 0 || state != 1) {
          out += "not loaded\n";
        }
        if (driver.call("cuFuncLoad", {0x2000}) != 0) out += "cuFuncLoad\n";
        return out;
      }));
}

// CUDA_MEMCPY3D_PEER as words; both sides are memory of a device unless said otherwise.
std::vector<std::uint64_t> peer_copy(std::uint64_t from_type, std::uint64_t to_type,
                                     std::uint64_t from_context, std::uint64_t to_context) {
  return {3, 1, 2,       0,    from_type, 0x10, 0x100000,   0x20, from_context, 64, 8, 5, 4,
          6, 0, to_type, 0x30, 0x200000,  0x40, to_context, 32,   16,           10, 1, 1};
}

TEST(CudaLiteral, CopiesBetweenContextsAreRows) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const auto box = peer_copy(2, 2, 0x8000, 0x9000);
              const std::uint64_t from = 0x100000 + (2 * 8 + 1) * 64 + 3;
              const std::uint64_t to = 0x200000 + (6 * 16 + 4) * 32 + 5;
              const Words expected{to, 0x9000, from, 0x8000, 10};
              out +=
                  objection(driver, "cuMemcpy3DPeer", {at(box.data())}, "muMemcpyPeer", expected);
              Words in_stream = expected;
              in_stream.push_back(0xa000);
              out += objection(driver, "cuMemcpy3DPeerAsync", {at(box.data()), 0xa000},
                               "muMemcpyPeerAsync", in_stream);
              in_stream.back() = 2;
              out += objection(driver, "cuMemcpy3DPeerAsync_ptsz", {at(box.data()), 0},
                               "muMemcpyPeerAsync", in_stream);
              out += objection(driver, "cuMemcpy3DPeer_ptds", {at(box.data())}, "muMemcpyPeerAsync",
                               in_stream);
              // Two rows in each of two planes.
              auto rows = box;
              rows[23] = rows[24] = 2;
              recording_answer("muMemcpyPeer", 0);
              if (driver.call("cuMemcpy3DPeer", {at(rows.data())}) != 0)
                out += "status of four rows\n";
              const CallLog log = work_log();
              const std::uint64_t steps[][2] = {{0, 0}, {64, 32}, {512, 512}, {576, 544}};
              for (std::size_t i = 0; i < 4; ++i) {
                if (log.size() != 4 || received(log[i], 2) != from + steps[i][0] ||
                    received(log[i], 0) != to + steps[i][1]) {
                  out += "row " + std::to_string(i) + "\n";
                }
              }
              return out;
            }));
}

TEST(CudaLiteral, CopiesWithinAContextAreBoxes) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              recording_answer("muCtxPushCurrent_v2", 0);
              recording_answer("muCtxPopCurrent_v2", 0);
              recording_look("muMemcpy3D_v2", 0, 0);
              std::string out;
              // From the host to an array: the array's context is made current.
              const auto box = peer_copy(1, 3, 0x8000, 0x9000);
              driver.call("cuMemcpy3DPeer", {at(box.data())});
              const CallLog log = work_log();
              if (log.size() != 3 || log[0].musa != "muCtxPushCurrent_v2" ||
                  received(log[0], 0) != 0x9000 || log[1].musa != "muMemcpy3D_v2" ||
                  log[2].musa != "muCtxPopCurrent_v2") {
                out += "other calls\n";
              }
              const recording_call call = recording_get(recording_count() - 2);
              if (std::memcmp(call.seen[0], box.data(), sizeof call.seen[0]) != 0) {
                out += "another box\n";
              }
              const auto between = peer_copy(3, 2, 0x8000, 0x9000);
              if (driver.call("cuMemcpy3DPeerAsync", {at(between.data()), 0}) != 801 ||
                  !work_log().empty()) {
                out += "an array to another context\n";
              }
              return out;
            }));
}

// CUmemcpyAttributes: the order, two places, flags.
struct CopyAttributes {
  std::uint32_t order;
  std::uint32_t places[4];
  std::uint32_t flags;
};

TEST(CudaLiteral, BatchesAreCopiesOneAfterTheOther) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              const std::uint64_t to[] = {0x10000, 0x20000, 0x30000};
              const std::uint64_t from[] = {0x40000, 0x50000, 0x60000};
              const std::uint64_t sizes[] = {16, 32, 48};
              const std::uint64_t first[] = {0, 2};
              CopyAttributes attributes[] = {{1, {}, 0}, {2, {}, 1}};
              std::uint64_t failed = 99;
              const Words lists{at(to), at(from), at(sizes), 3, at(attributes), at(first), 2};
              const auto with = [](Words words, const Words& rest) {
                words.insert(words.end(), rest.begin(), rest.end());
                return words;
              };
              std::string out;
              const Words one{to[0], from[0], sizes[0]};
              out += objection(driver, "cuMemcpyBatchAsync", with(lists, {at(&failed), 0x9000}),
                               "muMemcpyAsync", with(one, {0x9000}));
              if (failed != 0) out += "which copy failed\n";
              out += objection(driver, "cuMemcpyBatchAsync_ptsz", with(lists, {at(&failed), 0}),
                               "muMemcpyAsync", with(one, {2}));
              out += objection(driver, "cuMemcpyBatchAsync_v2", with(lists, {0x9000}),
                               "muMemcpyAsync", with(one, {0x9000}));
              out += objection(driver, "cuMemcpyBatchAsync_v2_ptsz", with(lists, {0}),
                               "muMemcpyAsync", with(one, {2}));
              const Words single{to[1], from[1], 32, at(attributes)};
              out += objection(driver, "cuMemcpyWithAttributesAsync", with(single, {0x9000}),
                               "muMemcpyAsync", {to[1], from[1], 32, 0x9000});
              out += objection(driver, "cuMemcpyWithAttributesAsync_ptsz", with(single, {0}),
                               "muMemcpyAsync", {to[1], from[1], 32, 2});
              // All of them; the last one's source may be changed when the call returns.
              recording_answer("muMemcpyAsync", 0);
              recording_answer("muStreamSynchronize", 0);
              if (driver.call("cuMemcpyBatchAsync", with(lists, {at(&failed), 0x9000})) != 0) {
                out += "status of three copies\n";
              }
              CallLog log = work_log();
              for (std::size_t i = 0; i < 3; ++i) {
                if (log.size() != 4 || received(log[i], 0) != to[i] ||
                    received(log[i], 1) != from[i] || received(log[i], 2) != sizes[i]) {
                  out += "copy " + std::to_string(i) + "\n";
                }
              }
              if (log.size() != 4 || log[3].musa != "muStreamSynchronize") out += "no wait\n";
              if (failed != ~std::uint64_t{0}) out += "a copy that did not fail\n";
              attributes[1].order = 7;
              if (driver.call("cuMemcpyBatchAsync", with(lists, {at(&failed), 0x9000})) != 1 ||
                  failed != 2) {
                out += "an order that does not exist\n";
              }
              // CUDA takes no legacy default stream here.
              for (const std::uint64_t stream : {0, 1}) {
                if (driver.call("cuMemcpyBatchAsync_v2", with(lists, {stream})) != 1 ||
                    !work_log().empty()) {
                  out += "the default stream\n";
                }
              }
              const std::uint64_t gap[] = {1, 2};
              Words wrong = lists;
              wrong[5] = at(gap);
              if (driver.call("cuMemcpyBatchAsync_v2", with(wrong, {0x9000})) != 1) {
                out += "a copy without attributes\n";
              }
              return out;
            }));
}

// CUDA_MEMCPY3D_BATCH_OP as words. The order and the flags share the last one.
std::vector<std::uint64_t> batch_box(std::uint64_t from_type) {
  return {from_type, 0x100000, 64, 8, 0, 1, 0x200000, 0, 0, 0, 10, 3, 2, 3};
}

TEST(CudaLiteral, BoxesInBatches) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const auto box = batch_box(1);
              std::uint64_t failed = 99;
              const auto check = [&](const char* name, const Words& words, std::uint64_t stream) {
                out += objection(driver, name, words, "muMemcpy3DAsync_v2", {kOwn, stream});
              };
              check("cuMemcpy3DBatchAsync", {1, at(box.data()), at(&failed), 0, 0x9000}, 0x9000);
              if (failed != 0) out += "which copy failed\n";
              check("cuMemcpy3DBatchAsync_ptsz", {1, at(box.data()), at(&failed), 0, 0}, 2);
              check("cuMemcpy3DBatchAsync_v2", {1, at(box.data()), 0, 0x9000}, 0x9000);
              check("cuMemcpy3DBatchAsync_v2_ptsz", {1, at(box.data()), 0, 0}, 2);
              check("cuMemcpy3DWithAttributesAsync", {at(box.data()), 0, 0x9000}, 0x9000);
              check("cuMemcpy3DWithAttributesAsync_ptsz", {at(box.data()), 0, 0}, 2);
              const auto array = batch_box(2);
              if (driver.call("cuMemcpy3DBatchAsync_v2", {1, at(array.data()), 0, 0x9000}) != 801 ||
                  !work_log().empty()) {
                out += "an array\n";
              }
              if (driver.call("cuMemcpy3DBatchAsync_v2", {1, at(box.data()), 1, 0x9000}) != 1) {
                out += "flags\n";
              }
              return out;
            }));
}

TEST(CudaLiteral, BatchesOfPrefetches) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              const std::uint64_t memory[] = {0x10000, 0x20000};
              const std::uint64_t sizes[] = {64, 128};
              const std::uint32_t places[][2] = {{1, 3}, {2, 0}};  // Device 3; the host.
              const std::uint64_t first[] = {0, 1};
              const Words words{at(memory), at(sizes), 2, at(places), at(first), 2, 0, 0x9000};
              std::string out;
              out += objection(driver, "cuMemPrefetchBatchAsync", words, "musaMemPrefetchAsync",
                               {0x10000, 64, 3, 0x9000});
              Words own = words;
              own.back() = 0;
              out += objection(driver, "cuMemPrefetchBatchAsync_ptsz", own, "musaMemPrefetchAsync",
                               {0x10000, 64, 3, 2});
              recording_answer("musaMemPrefetchAsync", 0);
              if (driver.call("cuMemPrefetchBatchAsync", words) != 0) out += "status\n";
              const CallLog log = work_log();
              if (log.size() != 2 || received(log[1], 0) != 0x20000 ||
                  (received(log[1], 2) & 0xffffffff) != 0xffffffff) {
                out += "the second range\n";
              }
              return out;
            }));
}

// Errors of the runtime have other numbers below 100; above, both have the same.
TEST(CudaLiteral, StatusesOfTheRuntime) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              const int statuses[][2] = {
                  {0, 0},     {1, 1},     {2, 2},     {9, 1},     {12, 1},    {13, 500},
                  {17, 1},    {21, 1},    {31, 801},  {35, 803},  {49, 201},  {53, 719},
                  {69, 701},  {98, 400},  {100, 100}, {201, 201}, {400, 400}, {600, 600},
                  {700, 700}, {801, 801}, {900, 900}, {43, 999},  {127, 999}, {12345, 999}};
              std::string out;
              for (const auto& [runtime, expected] : statuses) {
                recording_answer("musaUserObjectRetain", runtime);
                const int status = driver.call("cuUserObjectRetain", {0x1000, 1});
                if (status == expected) continue;
                out += std::to_string(runtime) + " became " + std::to_string(status) + "\n";
              }
              return out;
            }));
}

// The error is cleared if it is the only one, and left if there was one before the call.
TEST(CudaLiteral, TheRuntimesLastErrorStaysAsItWas) {
  EXPECT_EQ("", in_child([] {
              const Library driver = opened();
              std::string out;
              const auto clears = [&](int pending, int error) {
                recording_answer("musaPeekAtLastError", pending);
                recording_answer("musaUserObjectRetain", error);
                driver.call("cuUserObjectRetain", {0x1000, 1});
                const CallLog log = backend_log();
                return !log.empty() && log.back().musa == "musaGetLastError";
              };
              if (!clears(0, 1)) out += "the driver's error stays\n";
              if (clears(2, 1)) out += "an older error is lost\n";
              if (clears(0, 0)) out += "asked without need\n";
              return out;
            }));
}

TEST(CudaLiteral, BeforeInitialisationTheRuntimeIsNotCalled) {
  EXPECT_EQ("", in_child([] {
              const Library driver(kFile, MUSA_ROOT);
              recording_answer("muCtxGetCurrent", 3);
              std::string out;
              for (const char* name : {"cuUserObjectRetain", "cuStreamIsCapturing",
                                       "cuMemAllocAsync", "cuMemFreeAsync", "cuProfilerStart"}) {
                if (driver.call(name, {0x1000, 1, 0x9000}) != 3 || !work_log().empty()) {
                  out += std::string(name) + "\n";
                }
              }
              // There is no default stream without a context.
              recording_answer("muCtxGetCurrent", 0);
              if (driver.call("cuStreamIsCapturing", {0, 0x1000}) != 201 || !work_log().empty()) {
                out += "a default stream without a context\n";
              }
              return out;
            }));
}

}  // namespace
}  // namespace recording
