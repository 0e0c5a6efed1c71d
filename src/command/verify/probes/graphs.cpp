// Capture and graphs.
#include <atomic>

#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"
#include "src/command/verify/probes/record.h"

namespace torchada::verify {
namespace {

constexpr std::size_t kBytes = 512;

void* new_stream(Probing& p) {
  OutBuffer buffer;
  p.good("musaStreamCreate", {{"pStream", &buffer}});
  return buffer.pointer();
}

void probe_capture(Probing& p) {
  Device device(p);
  void* stream = new_stream(p);
  auto* place = static_cast<unsigned char*>(device.allocate(kBytes));
  p.good("musaMemset", {{"devPtr", place}, {"value", 1}, {"count", kBytes}});
  device.synchronize();
  const auto status = [&] {
    OutBuffer buffer;
    p.good("musaStreamIsCapturing", {{"stream", stream}, {"pCaptureStatus", &buffer}});
    return buffer.integer();
  };
  const std::int64_t before = status();
  p.good("musaStreamBeginCapture",
         {{"stream", stream},
          {"mode", p.value("musaStreamCaptureMode", "musaStreamCaptureModeThreadLocal")}});
  const std::int64_t during = status();
  p.forget();
  const auto decide = [&](const char* name, std::int64_t found) {
    const Fact* fact = p.facts().value("musaStreamCaptureStatus", name);
    if (fact && fact->value) {
      p.decide(fact->id, found == *fact->value, fact->claim, std::to_string(found));
    }
  };
  decide("musaStreamCaptureStatusNone", before);
  decide("musaStreamCaptureStatusActive", during);
  p.good("musaMemsetAsync",
         {{"devPtr", place}, {"value", 9}, {"count", kBytes}, {"stream", stream}});
  OutBuffer graph;
  p.good("musaStreamEndCapture", {{"stream", stream}, {"pGraph", &graph}});
  const auto untouched = device.download<unsigned char>(place, kBytes);
  OutBuffer count;
  p.good("musaGraphGetNodes",
         {{"graph", graph.pointer()}, {"nodes", nullptr}, {"numNodes", &count}});
  p.expect(count.integer() == 1 && untouched[0] == 1,
           {"musaStreamBeginCapture", "musaStreamEndCapture", "musaStreamIsCapturing",
            "musaGraphGetNodes"},
           "a graph of one node, and nothing executed yet",
           std::to_string(count.integer()) + " nodes");
  OutBuffer exec;
  p.good("musaGraphInstantiateWithFlags",
         {{"pGraphExec", &exec}, {"graph", graph.pointer()}, {"flags", 0}});
  p.good("musaGraphLaunch", {{"graphExec", exec.pointer()}, {"stream", stream}});
  p.good("musaStreamSynchronize", {{"stream", stream}});
  const auto done = device.download<unsigned char>(place, kBytes);
  p.expect(std::count(done.begin(), done.end(), 9) == kBytes,
           {"musaGraphInstantiateWithFlags", "musaGraphLaunch"},
           "the captured operations are executed", "they are not");
}

// A capture mode shows by what it forbids the thread: an unsafe call while a stream captures.
void probe_capture_modes(Probing& p) {
  const auto mode = [&](const char* name, bool forbids) {
    p.attempt([&] {
      const int number = p.value("musaStreamCaptureMode", name);
      void* stream = new_stream(p);
      p.good("musaStreamBeginCapture", {{"stream", stream}, {"mode", number}});
      OutBuffer memory;
      const std::int64_t status =
          p.call("musaMalloc", {{"devPtr", &memory}, {"size", kBytes}}).number;
      OutBuffer graph;
      p.call("musaStreamEndCapture", {{"stream", stream}, {"pGraph", &graph}});
      p.forget();
      p.expect_value(
          (status != 0) == forbids, "musaStreamCaptureMode", name,
          forbids ? "allocation is refused during capture" : "allocation works during capture",
          "status " + std::to_string(status));
    });
  };
  // Global and thread-local differ only in their effect on other threads.
  mode("musaStreamCaptureModeGlobal", true);
  mode("musaStreamCaptureModeThreadLocal", true);
  mode("musaStreamCaptureModeRelaxed", false);
}

struct Graph {
  explicit Graph(Probing& probing) : p(probing) {
    OutBuffer buffer;
    p.good("musaGraphCreate", {{"pGraph", &buffer}, {"flags", 0}});
    handle = buffer.pointer();
  }

  void* copy_node(void* to, const void* from, const void* after) {
    OutBuffer node;
    const std::vector<const void*> dependencies = {after};
    p.good("musaGraphAddMemcpyNode1D",
           {{"pGraphNode", &node},
            {"graph", handle},
            {"pDependencies", after ? dependencies.data() : nullptr},
            {"numDependencies", after ? 1 : 0},
            {"dst", to},
            {"src", from},
            {"count", kBytes},
            {"kind", p.value("musaMemcpyKind", "musaMemcpyDeviceToDevice")}});
    return node.pointer();
  }

  void* empty_node() {
    OutBuffer node;
    p.good("musaGraphAddEmptyNode", {{"pGraphNode", &node},
                                     {"graph", handle},
                                     {"pDependencies", nullptr},
                                     {"numDependencies", 0}});
    return node.pointer();
  }

  std::int64_t count(const std::string& function, const Arguments& arguments,
                     const std::string& number) {
    OutBuffer buffer;
    Arguments list = arguments;
    list.emplace_back(number, &buffer);
    p.good(function, list);
    return buffer.integer();
  }

  Probing& p;
  void* handle = nullptr;
};

// The arguments of musaGraphInstantiate and musaGraphExecUpdate changed with 5.0. The call passes
// what the table says for this SDK.
void* instantiate(Probing& p, void* graph) {
  OutBuffer exec;
  OutBuffer node;
  OutBuffer log;
  p.good("musaGraphInstantiate",
         {{"pGraphExec", &exec},
          {"graph", graph},
          {"flags", 0},
          {"pErrorNode", node.data()},
          {"pLogBuffer", log.data()},
          {"bufferSize", 256}},
         true);
  return exec.pointer();
}

void probe_nodes(Probing& p) {
  Device device(p);
  Graph graph(p);
  const std::vector<unsigned char> bytes(kBytes, 0x2F);
  unsigned char* a = device.upload(bytes);
  auto* b = static_cast<unsigned char*>(device.allocate(kBytes));
  auto* c = static_cast<unsigned char*>(device.allocate(kBytes));
  void* first = graph.copy_node(b, a, nullptr);
  void* second = graph.copy_node(c, b, first);
  void* empty = graph.empty_node();
  const std::vector<const void*> from = {second};
  const std::vector<const void*> to = {empty};
  p.good(
      "musaGraphAddDependencies",
      {{"graph", graph.handle}, {"from", from.data()}, {"to", to.data()}, {"numDependencies", 1}});
  const std::int64_t roots = graph.count(
      "musaGraphGetRootNodes", {{"graph", graph.handle}, {"pRootNodes", nullptr}}, "pNumRootNodes");
  const std::int64_t edges =
      graph.count("musaGraphGetEdges",
                  {{"graph", graph.handle}, {"from", nullptr}, {"to", nullptr}}, "numEdges");
  const std::int64_t before =
      graph.count("musaGraphNodeGetDependencies", {{"node", empty}, {"pDependencies", nullptr}},
                  "pNumDependencies");
  const std::int64_t after =
      graph.count("musaGraphNodeGetDependentNodes", {{"node", first}, {"pDependentNodes", nullptr}},
                  "pNumDependentNodes");
  p.expect(roots == 1 && edges == 2 && before == 1 && after == 1,
           {"musaGraphCreate", "musaGraphAddMemcpyNode1D", "musaGraphAddEmptyNode",
            "musaGraphAddDependencies", "musaGraphGetRootNodes", "musaGraphGetEdges",
            "musaGraphNodeGetDependencies", "musaGraphNodeGetDependentNodes"},
           "three nodes in a row",
           std::to_string(roots) + " roots, " + std::to_string(edges) + " edges");
  p.attempt([&] {
    OutBuffer clone;
    p.good("musaGraphClone", {{"pGraphClone", &clone}, {"originalGraph", graph.handle}});
    OutBuffer node;
    p.good("musaGraphNodeFindInClone",
           {{"pNode", &node}, {"originalNode", first}, {"clonedGraph", clone.pointer()}});
    p.expect(node.pointer() != nullptr && node.pointer() != first,
             {"musaGraphClone", "musaGraphNodeFindInClone"}, "another node", "the same node");
    p.good("musaGraphDestroy", {{"graph", clone.pointer()}});
  });
  p.attempt([&] {
    void* exec = instantiate(p, graph.handle);
    void* stream = new_stream(p);
    p.good("musaGraphLaunch", {{"graphExec", exec}, {"stream", stream}});
    p.good("musaStreamSynchronize", {{"stream", stream}});
    p.expect(device.download<unsigned char>(c, kBytes) == bytes, {"musaGraphInstantiate"},
             "both copies copy the bytes", "different values");
    p.attempt([&] {
      OutBuffer node;
      OutBuffer result;
      OutBuffer info;
      p.good("musaGraphExecUpdate",
             {{"hGraphExec", exec},
              {"hGraph", graph.handle},
              {"hErrorNode_out", &node},
              {"updateResult_out", &result},
              {"resultInfo", &info}},
             true);
      p.expect(true, {"musaGraphExecUpdate"}, "", "updated with the same graph");
      if (info.written() > 0) p.expect_size("musaGraphExecUpdateResultInfo", info, true);
    });
    p.attempt([&] {
      Graph other(p);
      other.empty_node();
      OutBuffer node;
      OutBuffer result;
      OutBuffer info;
      p.call("musaGraphExecUpdate",
             {{"hGraphExec", exec},
              {"hGraph", other.handle},
              {"hErrorNode_out", &node},
              {"updateResult_out", &result},
              {"resultInfo", &info}},
             true);
      const std::int64_t code =
          info.written() > 0 ? info.get<std::int32_t>() : result.get<std::int32_t>();
      const Fact* fact =
          p.facts().value("musaGraphExecUpdateResult", "musaGraphExecUpdateErrorTopologyChanged");
      if (fact && fact->value) {
        p.decide(fact->id, code == *fact->value, fact->claim + " for a different graph",
                 std::to_string(code));
      }
    });
    p.attempt([&] {
      p.good("musaGraphNodeSetEnabled", {{"hGraphExec", exec}, {"hNode", first}, {"isEnabled", 0}});
      OutBuffer enabled;
      p.good("musaGraphNodeGetEnabled",
             {{"hGraphExec", exec}, {"hNode", first}, {"isEnabled", &enabled}});
      p.expect(enabled.integer() == 0, {"musaGraphNodeSetEnabled", "musaGraphNodeGetEnabled"},
               "no longer enabled", std::to_string(enabled.integer()));
    });
    p.good("musaGraphExecDestroy", {{"graphExec", exec}});
    p.expect(true, {"musaGraphExecDestroy"}, "", "destroyed");
  });
  p.attempt([&] {
    p.good("musaGraphDestroyNode", {{"node", empty}});
    OutBuffer count;
    p.good("musaGraphGetNodes",
           {{"graph", graph.handle}, {"nodes", nullptr}, {"numNodes", &count}});
    p.expect(count.integer() == 2, {"musaGraphDestroyNode"}, "two nodes are left",
             std::to_string(count.integer()));
    p.good("musaGraphDestroy", {{"graph", graph.handle}});
    p.expect(true, {"musaGraphDestroy"}, "", "destroyed");
  });
}

// Each number is another one, so that exchanging two of them would show.
void probe_memset_node(Probing& p) {
  constexpr std::size_t kPitch = 32, kWidth = 5, kHeight = 3;
  Device device(p);
  Graph graph(p);
  std::vector<unsigned char> expected(kBytes, 0x2F);
  unsigned char* place = device.upload(expected);
  for (std::size_t row = 0; row < kHeight; ++row) {
    for (std::size_t i = 0; i < kWidth; ++i) {
      expected[row * kPitch + 2 * i] = 0x07;
      expected[row * kPitch + 2 * i + 1] = 0x5A;
    }
  }
  Record params(p, "musaMemsetParams");
  params.set("dst", place)
      .set("pitch", kPitch)
      .set("value", 0x5A07)
      .set("elementSize", 2)
      .set("width", kWidth)
      .set("height", kHeight);
  OutBuffer node;
  p.good("musaGraphAddMemsetNode", {{"pGraphNode", &node},
                                    {"graph", graph.handle},
                                    {"pDependencies", nullptr},
                                    {"numDependencies", 0},
                                    {"pMemsetParams", params.data()}});
  void* exec = instantiate(p, graph.handle);
  void* stream = new_stream(p);
  p.good("musaGraphLaunch", {{"graphExec", exec}, {"stream", stream}});
  p.good("musaStreamSynchronize", {{"stream", stream}});
  const bool holds = device.download<unsigned char>(place, kBytes) == expected;
  params.decide(holds, "three rows of five elements are filled", "something else is");
  p.expect(holds, {"musaGraphAddMemsetNode"}, "three rows of five elements are filled",
           "something else is");
}

void probe_event_nodes(Probing& p) {
  Graph graph(p);
  OutBuffer event;
  p.good("musaEventCreate", {{"event", &event}});
  const auto node = [&](const std::string& add, const std::string& get) {
    p.attempt([&] {
      OutBuffer added;
      p.good(add, {{"pGraphNode", &added},
                   {"graph", graph.handle},
                   {"pDependencies", nullptr},
                   {"numDependencies", 0},
                   {"event", event.pointer()}});
      OutBuffer back;
      p.good(get, {{"node", added.pointer()}, {"event_out", &back}});
      p.expect(back.pointer() == event.pointer(), {add, get}, "the event that was passed",
               "a different event");
    });
  };
  node("musaGraphAddEventRecordNode", "musaGraphEventRecordNodeGetEvent");
  node("musaGraphAddEventWaitNode", "musaGraphEventWaitNodeGetEvent");
}

extern "C" void count_call(void* calls) { ++*static_cast<std::atomic<int>*>(calls); }

// Whether the bytes that MUSA wrote have the address.
bool tells(const OutBuffer& buffer, const void* address) {
  const auto* const first = reinterpret_cast<const unsigned char*>(&address);
  const unsigned char* const end = buffer.bytes() + buffer.written();
  return std::search(buffer.bytes(), end, first, first + sizeof address) != end;
}

// What MUSA tells of a node: the layouts of these structs are not all known, but how far it writes
// shows their sizes, and the addresses are in them.
void probe_parameters(Probing& p) {
  Device device(p);
  void* const stream = new_stream(p);
  void* const from = device.allocate(kBytes);
  void* const to = device.allocate(kBytes);
  std::atomic<int> calls = 0;
  p.good("musaStreamBeginCapture",
         {{"stream", stream},
          {"mode", p.value("musaStreamCaptureMode", "musaStreamCaptureModeThreadLocal")}});
  p.good("musaMemsetAsync",
         {{"devPtr", from}, {"value", 9}, {"count", kBytes}, {"stream", stream}});
  p.good("musaMemcpyAsync", {{"dst", to},
                             {"src", from},
                             {"count", kBytes},
                             {"kind", p.value("musaMemcpyKind", "musaMemcpyDeviceToDevice")},
                             {"stream", stream}});
  p.good("musaLaunchHostFunc", {{"stream", stream},
                                {"fn", reinterpret_cast<const void*>(count_call)},
                                {"userData", &calls}});
  OutBuffer graph;
  p.good("musaStreamEndCapture", {{"stream", stream}, {"pGraph", &graph}});
  constexpr std::size_t kNodes = 3;
  std::size_t count = kNodes;
  void* nodes[kNodes] = {};
  p.good("musaGraphGetNodes", {{"graph", graph.pointer()}, {"nodes", nodes}, {"numNodes", &count}});
  if (count != kNodes) throw Stop("the graph has " + std::to_string(count) + " nodes");
  p.forget();
  struct Part {
    const char* type;
    const char* function;
    const char* parameter;
    std::vector<const void*> addresses;
  };
  const Part parts[] = {
      {"musaGraphNodeTypeMemset", "musaGraphMemsetNodeGetParams", "pNodeParams", {from}},
      {"musaGraphNodeTypeMemcpy", "musaGraphMemcpyNodeGetParams", "pNodeParams", {from, to}},
      {"musaGraphNodeTypeHost",
       "musaGraphHostNodeGetParams",
       "pNodeParams",
       {reinterpret_cast<const void*>(count_call), &calls}}};
  for (const Part& part : parts) {
    p.attempt([&] {
      const int wanted = p.value("musaGraphNodeType", part.type);
      for (void* const node : nodes) {
        OutBuffer type;
        p.good("musaGraphNodeGetType", {{"node", node}, {"pType", &type}});
        if (type.integer() != wanted) continue;
        OutBuffer told;
        p.good(part.function, {{"node", node}, {part.parameter, &told}});
        const bool holds = std::all_of(part.addresses.begin(), part.addresses.end(),
                                       [&](const void* one) { return tells(told, one); });
        p.expect_value(holds, "musaGraphNodeType", part.type, "such a node was captured",
                       holds ? "it tells its addresses" : "it tells other addresses");
        p.expect(holds, {"musaGraphNodeGetType", part.function},
                 "what the node was made with, in " + std::to_string(told.written()) + " bytes",
                 "different values");
        return;
      }
      p.expect_value(false, "musaGraphNodeType", part.type, "such a node was captured", "none");
    });
  }
}

// The numbers are of memory that graphs allocate; there is none, so each is 0 here.
void probe_graph_memory(Probing& p) {
  constexpr const char* kNames[] = {"UsedMemCurrent", "UsedMemHigh", "ReservedMemCurrent",
                                    "ReservedMemHigh"};
  Device device(p);
  device.synchronize();
  const Graph graph(p);
  for (const char* name : kNames) {
    p.attempt([&] {
      OutBuffer told;
      p.good(
          "musaDeviceGetGraphMemAttribute",
          {{"device", 0},
           {"attr", p.value("musaGraphMemAttributeType", std::string("musaGraphMemAttr") + name)},
           {"value", &told}});
      const auto bytes = told.get<std::uint64_t>();
      p.expect(told.written() == sizeof bytes && bytes < (std::uint64_t{1} << 40),
               {"musaDeviceGetGraphMemAttribute"}, "a number of bytes",
               std::to_string(told.written()) + " bytes were written: " + std::to_string(bytes));
    });
  }
  p.attempt([&] {
    p.good("musaDeviceGraphMemTrim", {{"device", 0}});
    p.expect(true, {"musaDeviceGraphMemTrim"}, "", "success");
  });
}

}  // namespace

std::vector<Probe> graph_probes() {
  return {{"graphs.capture", probe_capture},
          {"graphs.capture_modes", probe_capture_modes},
          {"graphs.nodes", probe_nodes},
          {"graphs.memset_node", probe_memset_node},
          {"graphs.event_nodes", probe_event_nodes},
          {"graphs.parameters", probe_parameters},
          {"graphs.memory", probe_graph_memory}};
}

}  // namespace torchada::verify
