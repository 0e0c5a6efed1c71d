// Streams, events, functions on the host, capture and graphs of libmusa.
#include <atomic>

#include "src/command/verify/probes/driver.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t kBytes = 512;

void synchronize(Probing& p, void* stream) { p.good("muStreamSynchronize", {{"hStream", stream}}); }

void fill(Probing& p, std::uint64_t place, std::uint8_t value, void* stream) {
  p.good("muMemsetD8Async",
         {{"dstDevice", place}, {"uc", value}, {"N", kBytes}, {"hStream", stream}});
}

// ---- streams

void probe_streams(Probing& p) {
  Driver driver(p);
  const std::string destroy = newest(p, "muStreamDestroy_v2");
  const int non_blocking = p.value("MUstream_flags_enum", "MU_STREAM_NON_BLOCKING");
  void* const plain = driver.stream();
  p.attempt([&] {
    OutBuffer flags;
    p.good("muStreamGetFlags", {{"hStream", plain}, {"flags", &flags}});
    p.expect(flags.integer() == non_blocking, {"muStreamCreate", "muStreamGetFlags"},
             std::to_string(non_blocking), std::to_string(flags.integer()));
  });
  p.attempt([&] {
    OutBuffer context;
    p.good("muStreamGetCtx", {{"hStream", plain}, {"pctx", &context}});
    p.expect(context.pointer() == driver.context(), {"muStreamGetCtx"}, "the current context",
             "another one");
  });
  p.attempt([&] {
    OutBuffer least;
    OutBuffer greatest;
    p.good("muCtxGetStreamPriorityRange",
           {{"leastPriority", &least}, {"greatestPriority", &greatest}});
    OutBuffer urgent;
    p.good("muStreamCreateWithPriority",
           {{"phStream", &urgent}, {"flags", non_blocking}, {"priority", greatest.integer()}});
    OutBuffer priority;
    p.good("muStreamGetPriority", {{"hStream", urgent.pointer()}, {"priority", &priority}});
    p.expect(priority.integer() == greatest.integer(),
             {"muStreamCreateWithPriority", "muStreamGetPriority"},
             std::to_string(greatest.integer()), std::to_string(priority.integer()));
  });
  synchronize(p, plain);
  const std::int64_t status = p.call("muStreamQuery", {{"hStream", plain}}).number;
  p.expect(status == 0, {"muStreamQuery", "muStreamSynchronize"}, "an idle stream",
           "status " + std::to_string(status));
  p.good(destroy, {{"hStream", plain}});
  p.expect(true, {destroy}, "", "destroyed");
}

void probe_stream_attributes(Probing& p) {
  Driver driver(p);
  const int attribute = p.value("MUstreamAttrID", "MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY");
  Record told(p, "MUstreamAttrValue");
  const auto policy = [&](void* stream) {
    p.good("muStreamGetAttribute",
           {{"hStream", stream}, {"attr", attribute}, {"value_out", told.filled()}});
    return told.get("syncPolicy");
  };
  void* const stream = driver.stream();
  void* const other = driver.stream();
  const auto spin = p.value("MUsynchronizationPolicy", "MU_SYNC_POLICY_SPIN");
  const std::int64_t before = policy(stream);
  Record wanted(p, "MUstreamAttrValue");
  wanted.set("syncPolicy", spin);
  p.good("muStreamSetAttribute",
         {{"hStream", stream}, {"attr", attribute}, {"value", wanted.data()}});
  const std::int64_t after = policy(stream);
  const std::string found = std::to_string(before) + ", then " + std::to_string(after);
  p.expect_value(before != spin && after == spin, "MUstreamAttrID",
                 "MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY", "the policy that was set", found);
  told.decide(before != spin && after == spin, "the policy that was set", found);
  p.expect(before != spin && after == spin, {"muStreamSetAttribute", "muStreamGetAttribute"},
           "the policy that was set", found);
  p.good("muStreamCopyAttributes", {{"dst", other}, {"src", stream}});
  p.expect(policy(other) == spin, {"muStreamCopyAttributes"}, "the policy of the other stream",
           std::to_string(policy(other)));
}

// ---- events

void probe_events(Probing& p) {
  Driver driver(p);
  const std::string destroy = newest(p, "muEventDestroy_v2");
  void* const stream = driver.stream();
  void* const start = driver.event("MU_EVENT_DEFAULT");
  void* const end = driver.event("MU_EVENT_BLOCKING_SYNC");
  const std::uint64_t place = driver.allocate(kBytes);
  p.good("muEventRecord", {{"hEvent", start}, {"hStream", stream}});
  fill(p, place, 3, stream);
  p.good("muEventRecordWithFlags",
         {{"hEvent", end},
          {"hStream", stream},
          {"flags", p.value("MUevent_record_flags_enum", "MU_EVENT_RECORD_DEFAULT")}});
  p.good("muEventSynchronize", {{"hEvent", end}});
  const std::int64_t status = p.call("muEventQuery", {{"hEvent", end}}).number;
  p.expect(status == 0,
           {"muEventRecord", "muEventRecordWithFlags", "muEventSynchronize", "muEventQuery"},
           "an event that has happened", "status " + std::to_string(status));
  OutBuffer time;
  p.good("muEventElapsedTime", {{"pMilliseconds", &time}, {"hStart", start}, {"hEnd", end}});
  const auto found = time.get<float>();
  p.expect(found >= 0 && found < 60000, {"muEventElapsedTime"}, "milliseconds, from 0 on",
           std::to_string(found));
  p.attempt([&] {
    void* const quiet = driver.event("MU_EVENT_DISABLE_TIMING");
    p.good("muEventRecord", {{"hEvent", quiet}, {"hStream", stream}});
    synchronize(p, stream);
    const std::int64_t refused =
        p.call("muEventElapsedTime", {{"pMilliseconds", &time}, {"hStart", start}, {"hEnd", quiet}})
            .number;
    p.expect_value(refused != 0, "MUevent_flags_enum", "MU_EVENT_DISABLE_TIMING",
                   "an event without a time", "it has a time");
  });
  p.good(destroy, {{"hEvent", start}});
  p.expect(true, {"muEventCreate", destroy}, "", "created and destroyed");
}

// ---- functions on the host

std::atomic<void*> given{nullptr};
std::atomic<int> calls{0};
std::atomic<bool> released{false};

void take(void* data) {
  given = data;
  ++calls;
}

void take_status(void* stream, int status, void* data) {
  given = status == 0 ? data : stream;
  ++calls;
}

void wait_for_release(void*) {
  while (!released) {
  }
}

void probe_host_functions(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  int own = 0;
  const auto arrives = [&](const std::string& function, const Arguments& arguments) {
    p.attempt([&] {
      given = nullptr;
      calls = 0;
      p.good(function, arguments);
      synchronize(p, stream);
      p.expect(calls == 1 && given == &own, {function}, "one call with the data that was passed",
               std::to_string(calls) + " calls");
    });
  };
  arrives("muLaunchHostFunc", {{"hStream", stream},
                               {"fn", reinterpret_cast<const void*>(take)},
                               {"userData", static_cast<const void*>(&own)}});
  arrives("muStreamAddCallback", {{"hStream", stream},
                                  {"callback", reinterpret_cast<const void*>(take_status)},
                                  {"userData", static_cast<const void*>(&own)},
                                  {"flags", 0}});
}

// A stream waits for an event of another one, which has not happened until the host says so.
void probe_waiting(Probing& p) {
  Driver driver(p);
  void* const first = driver.stream();
  void* const second = driver.stream();
  void* const event = driver.event("MU_EVENT_DISABLE_TIMING");
  p.good("muLaunchHostFunc", {{"hStream", first},
                              {"fn", reinterpret_cast<const void*>(wait_for_release)},
                              {"userData", nullptr}});
  p.good("muEventRecord", {{"hEvent", event}, {"hStream", first}});
  p.good("muStreamWaitEvent", {{"hStream", second}, {"hEvent", event}, {"Flags", 0}});
  const std::int64_t before = p.call("muStreamQuery", {{"hStream", second}}).number;
  const std::int64_t pending = p.call("muEventQuery", {{"hEvent", event}}).number;
  released = true;
  synchronize(p, second);
  const Fact* not_ready = p.facts().value("MUresult", "MUSA_ERROR_NOT_READY");
  if (not_ready && not_ready->value) {
    p.decide(not_ready->id, pending == not_ready->value, not_ready->claim, std::to_string(pending));
  }
  p.expect(before != 0, {"muStreamWaitEvent"}, "a stream that waits", "an idle stream");
}

// ---- graphs

void* instantiate(Probing& p, void* graph) {
  const std::string function = newest(p, "muGraphInstantiate_v2");
  OutBuffer exec;
  p.good(function, {{"phGraphExec", &exec},
                    {"hGraph", graph},
                    {"phErrorNode", nullptr},
                    {"logBuffer", nullptr},
                    {"bufferSize", 0}});
  p.expect(exec.pointer() != nullptr, {function}, "a graph to launch", "none");
  return exec.pointer();
}

void launch(Probing& p, void* exec, void* stream) {
  p.good("muGraphLaunch", {{"hGraphExec", exec}, {"hStream", stream}});
  synchronize(p, stream);
}

std::uint64_t nodes_of(Probing& p, void* graph) {
  OutBuffer count;
  p.good("muGraphGetNodes", {{"hGraph", graph}, {"nodes", nullptr}, {"numNodes", &count}});
  return count.get<std::uint64_t>();
}

void probe_capture(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  const std::uint64_t place = driver.upload(Bytes(kBytes, 1));
  p.good("muStreamBeginCapture_v2",
         {{"hStream", stream},
          {"mode", p.value("MUstreamCaptureMode", "MU_STREAM_CAPTURE_MODE_THREAD_LOCAL")}});
  fill(p, place, 9, stream);
  OutBuffer graph;
  p.good("muStreamEndCapture", {{"hStream", stream}, {"phGraph", &graph}});
  const bool waits = driver.read(place, kBytes) == Bytes(kBytes, 1);
  const std::uint64_t nodes = nodes_of(p, graph.pointer());
  p.expect(waits && nodes == 1,
           {"muStreamBeginCapture_v2", "muStreamEndCapture", "muGraphGetNodes"},
           "a graph of one node, and nothing executed yet", std::to_string(nodes) + " nodes");
  void* const exec = instantiate(p, graph.pointer());
  launch(p, exec, stream);
  p.expect(driver.read(place, kBytes) == Bytes(kBytes, 9), {"muGraphLaunch", "muMemsetD8Async"},
           "the captured work done", "different values");
  p.good("muGraphExecDestroy", {{"hGraphExec", exec}});
  p.good("muGraphDestroy", {{"hGraph", graph.pointer()}});
  p.expect(true, {"muGraphExecDestroy", "muGraphDestroy"}, "", "destroyed");
}

// A graph and the nodes that probes add to it.
class Graph {
 public:
  explicit Graph(Probing& p) : p_(p) {
    OutBuffer graph;
    p.good("muGraphCreate", {{"phGraph", &graph}, {"flags", 0}});
    handle = graph.pointer();
  }

  // Arguments beyond those that every such function has.
  void* add(const std::string& function, const Arguments& own, std::vector<void*> after = {}) {
    OutBuffer node;
    Arguments arguments = {{"phGraphNode", &node},
                           {"hGraph", handle},
                           {"dependencies", static_cast<const void*>(after.data())},
                           {"numDependencies", after.size()}};
    arguments.insert(arguments.end(), own.begin(), own.end());
    p_.good(function, arguments);
    return node.pointer();
  }

  void* handle = nullptr;

 private:
  Probing& p_;
};

Record memset_of(Probing& p, std::uint64_t place, std::uint64_t value) {
  Record out(p, "MUSA_MEMSET_NODE_PARAMS");
  out.set("dst", place).set("value", value).set("elementSize", 2).set("width", kBytes / 2);
  out.set("height", 1);
  return out;
}

Bytes pairs(unsigned char low, unsigned char high) {
  Bytes out(kBytes);
  for (std::size_t i = 0; i < kBytes; i += 2) {
    out[i] = low;
    out[i + 1] = high;
  }
  return out;
}

void decide_type(Probing& p, void* node, const char* name) {
  p.attempt([&] {
    OutBuffer type;
    p.good("muGraphNodeGetType", {{"hNode", node}, {"type", &type}});
    const Fact* fact = p.facts().value("MUgraphNodeType", name);
    if (fact && fact->value) {
      p.decide(fact->id, type.integer() == *fact->value, fact->claim,
               std::to_string(type.integer()));
    }
    p.expect(true, {"muGraphNodeGetType"}, "", "a type");
  });
}

void probe_nodes(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  const std::uint64_t place = driver.allocate(kBytes);
  int own = 0;
  Graph graph(p);
  Record params = memset_of(p, place, 0x0605);
  void* const filled = graph.add("muGraphAddMemsetNode",
                                 {{"memsetParams", params.data()}, {"ctx", driver.context()}});
  Record host(p, "MUSA_HOST_NODE_PARAMS");
  host.set("fn", reinterpret_cast<const void*>(take))
      .set("userData", static_cast<const void*>(&own));
  void* const told = graph.add("muGraphAddHostNode", {{"nodeParams", host.data()}}, {filled});
  void* const empty = graph.add("muGraphAddEmptyNode", {});
  decide_type(p, filled, "MU_GRAPH_NODE_TYPE_MEMSET");
  decide_type(p, told, "MU_GRAPH_NODE_TYPE_HOST");
  decide_type(p, empty, "MU_GRAPH_NODE_TYPE_EMPTY");
  given = nullptr;
  calls = 0;
  launch(p, instantiate(p, graph.handle), stream);
  const bool is_filled = driver.read(place, kBytes) == pairs(5, 6);
  const bool is_told = calls == 1 && given == &own;
  params.decide(is_filled, "memory filled", "different values");
  host.decide(is_told, "one call with the data that was passed", std::to_string(calls) + " calls");
  p.expect(is_filled, {"muGraphAddMemsetNode"}, "memory filled", "different values");
  p.expect(is_told, {"muGraphAddHostNode"}, "one call with the data that was passed",
           std::to_string(calls) + " calls");
  p.attempt([&] {
    Record read(p, "MUSA_MEMSET_NODE_PARAMS");
    p.good("muGraphMemsetNodeGetParams", {{"hNode", filled}, {"nodeParams", read.data()}});
    p.expect(static_cast<std::uint64_t>(read.get("dst")) == place && read.get("value") == 0x0605,
             {"muGraphMemsetNodeGetParams"}, "what the node was made with", "different values");
    const Record other = memset_of(p, place, 0x0807);
    p.good("muGraphMemsetNodeSetParams", {{"hNode", filled}, {"nodeParams", other.data()}});
    launch(p, instantiate(p, graph.handle), stream);
    p.expect(driver.read(place, kBytes) == pairs(7, 8), {"muGraphMemsetNodeSetParams"},
             "memory filled with the other value", "different values");
  });
}

// The order of a graph, told by MUSA.
void probe_edges(Probing& p) {
  Driver driver(p);
  Graph graph(p);
  void* const first = graph.add("muGraphAddEmptyNode", {});
  void* const second = graph.add("muGraphAddEmptyNode", {});
  p.good("muGraphAddDependencies", {{"hGraph", graph.handle},
                                    {"from", static_cast<const void*>(&first)},
                                    {"to", static_cast<const void*>(&second)},
                                    {"numDependencies", 1}});
  const auto one = [&](const std::string& function, const char* of, void* handle, const char* list,
                       const char* number, void* expected) {
    p.attempt([&] {
      void* found = nullptr;
      std::uint64_t count = 1;
      p.good(function, {{of, handle},
                        {list, static_cast<const void*>(&found)},
                        {number, static_cast<const void*>(&count)}});
      p.expect(count == 1 && found == expected, {function, "muGraphAddDependencies"},
               "the other node", std::to_string(count) + " nodes");
    });
  };
  one("muGraphGetRootNodes", "hGraph", graph.handle, "rootNodes", "numRootNodes", first);
  one("muGraphNodeGetDependencies", "hNode", second, "dependencies", "numDependencies", first);
  one("muGraphNodeGetDependentNodes", "hNode", first, "dependentNodes", "numDependentNodes",
      second);
  p.attempt([&] {
    void* from = nullptr;
    void* to = nullptr;
    std::uint64_t count = 1;
    p.good("muGraphGetEdges", {{"hGraph", graph.handle},
                               {"from", static_cast<const void*>(&from)},
                               {"to", static_cast<const void*>(&to)},
                               {"numEdges", static_cast<const void*>(&count)}});
    p.expect(count == 1 && from == first && to == second, {"muGraphGetEdges"},
             "from the first to the second", std::to_string(count) + " edges");
  });
  p.attempt([&] {
    OutBuffer clone;
    p.good("muGraphClone", {{"phGraphClone", &clone}, {"originalGraph", graph.handle}});
    OutBuffer node;
    p.good("muGraphNodeFindInClone",
           {{"phNode", &node}, {"hOriginalNode", first}, {"hClonedGraph", clone.pointer()}});
    const std::uint64_t nodes = nodes_of(p, clone.pointer());
    p.expect(nodes == 2 && node.pointer() && node.pointer() != first,
             {"muGraphClone", "muGraphNodeFindInClone"}, "another graph of two nodes",
             std::to_string(nodes) + " nodes");
  });
  p.good("muGraphDestroyNode", {{"hNode", second}});
  const std::uint64_t left = nodes_of(p, graph.handle);
  p.expect(left == 1, {"muGraphDestroyNode", "muGraphCreate", "muGraphAddEmptyNode"},
           "one node left", std::to_string(left));
}

void probe_child_graphs(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  const std::uint64_t place = driver.upload(Bytes(kBytes, 0));
  Graph inner(p);
  Record params = memset_of(p, place, 0x0403);
  inner.add("muGraphAddMemsetNode", {{"memsetParams", params.data()}, {"ctx", driver.context()}});
  Graph outer(p);
  void* const node = outer.add("muGraphAddChildGraphNode", {{"childGraph", inner.handle}});
  decide_type(p, node, "MU_GRAPH_NODE_TYPE_GRAPH");
  p.attempt([&] {
    OutBuffer child;
    p.good("muGraphChildGraphNodeGetGraph", {{"hNode", node}, {"phGraph", &child}});
    const std::uint64_t nodes = nodes_of(p, child.pointer());
    p.expect(nodes == 1, {"muGraphChildGraphNodeGetGraph"}, "a graph of one node",
             std::to_string(nodes));
  });
  launch(p, instantiate(p, outer.handle), stream);
  p.expect(driver.read(place, kBytes) == pairs(3, 4), {"muGraphAddChildGraphNode"}, "memory filled",
           "different values");
}

void probe_event_nodes(Probing& p) {
  Driver driver(p);
  void* const one = driver.event("MU_EVENT_DISABLE_TIMING");
  void* const other = driver.event("MU_EVENT_DISABLE_TIMING");
  Graph graph(p);
  const auto keeps = [&](const std::string& kind, const char* type) {
    p.attempt([&] {
      const std::string add = "muGraphAddEvent" + kind + "Node";
      const std::string get = "muGraphEvent" + kind + "NodeGetEvent";
      const std::string set = "muGraphEvent" + kind + "NodeSetEvent";
      const auto event = [&](void* node) {
        OutBuffer buffer;
        p.good(get, {{"hNode", node}, {"event_out", &buffer}});
        return buffer.pointer();
      };
      void* const node = graph.add(add, {{"event", one}});
      decide_type(p, node, type);
      const bool first = event(node) == one;
      p.good(set, {{"hNode", node}, {"event", other}});
      p.expect(first && event(node) == other, {add, get, set}, "the events that were set",
               "another event");
    });
  };
  keeps("Record", "MU_GRAPH_NODE_TYPE_EVENT_RECORD");
  keeps("Wait", "MU_GRAPH_NODE_TYPE_WAIT_EVENT");
}

Record copy_of(Probing& p, std::uint64_t to, std::uint64_t from) {
  const int device = p.value("MUmemorytype", "MU_MEMORYTYPE_DEVICE");
  Record out(p, "MUSA_MEMCPY3D");
  out.set("srcMemoryType", device).set("srcDevice", from).set("srcPitch", kBytes);
  out.set("srcHeight", 1).set("dstMemoryType", device).set("dstDevice", to);
  out.set("dstPitch", kBytes).set("dstHeight", 1);
  out.set("WidthInBytes", kBytes).set("Height", 1).set("Depth", 1);
  return out;
}

void probe_copy_nodes(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  const Bytes bytes = counted_bytes(kBytes);
  const Bytes others = counted_bytes(kBytes, 9);
  const std::uint64_t from = driver.upload(bytes);
  const std::uint64_t to = driver.upload(Bytes(kBytes, 0));
  Graph graph(p);
  const Record params = copy_of(p, to, from);
  void* const node =
      graph.add("muGraphAddMemcpyNode", {{"copyParams", params.data()}, {"ctx", driver.context()}});
  decide_type(p, node, "MU_GRAPH_NODE_TYPE_MEMCPY");
  void* const exec = instantiate(p, graph.handle);
  launch(p, exec, stream);
  p.expect(driver.read(to, kBytes) == bytes, {"muGraphAddMemcpyNode"}, "memory copied",
           "different values");
  const Record other = copy_of(p, to, driver.upload(others));
  p.attempt([&] {
    p.good("muGraphExecMemcpyNodeSetParams", {{"hGraphExec", exec},
                                              {"hNode", node},
                                              {"copyParams", other.data()},
                                              {"ctx", driver.context()}});
    launch(p, exec, stream);
    p.expect(driver.read(to, kBytes) == others, {"muGraphExecMemcpyNodeSetParams"},
             "other memory copied", "different values");
  });
  p.attempt([&] {
    Record told(p, "MUSA_MEMCPY3D");
    p.good("muGraphMemcpyNodeGetParams", {{"hNode", node}, {"nodeParams", told.filled()}});
    const bool holds = static_cast<std::uint64_t>(told.get("dstDevice")) == to;
    told.decide(holds, "what the node was made with", "different values");
    p.expect(holds, {"muGraphMemcpyNodeGetParams"}, "what the node was made with",
             "different values");
    p.good("muGraphMemcpyNodeSetParams", {{"hNode", node}, {"nodeParams", other.data()}});
    p.good("muGraphMemcpyNodeGetParams", {{"hNode", node}, {"nodeParams", told.filled()}});
    p.expect(told.get("srcDevice") != static_cast<std::int64_t>(from),
             {"muGraphMemcpyNodeSetParams"}, "other memory to copy", "the same");
  });
}

// What an executable graph does after its nodes, or all of it, have been changed.
void probe_updates(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  const std::uint64_t place = driver.upload(Bytes(kBytes, 0));
  Graph graph(p);
  const Record params = memset_of(p, place, 0x0201);
  const Arguments own = {{"memsetParams", params.data()}, {"ctx", driver.context()}};
  void* const node = graph.add("muGraphAddMemsetNode", own);
  void* const exec = instantiate(p, graph.handle);
  const Record other = memset_of(p, place, 0x0403);
  p.attempt([&] {
    p.good("muGraphExecMemsetNodeSetParams", {{"hGraphExec", exec},
                                              {"hNode", node},
                                              {"memsetParams", other.data()},
                                              {"ctx", driver.context()}});
    launch(p, exec, stream);
    p.expect(driver.read(place, kBytes) == pairs(3, 4), {"muGraphExecMemsetNodeSetParams"},
             "memory filled with the other value", "different values");
  });
  p.attempt([&] {
    OutBuffer failed;
    OutBuffer result;
    p.good("muGraphExecUpdate", {{"hGraphExec", exec},
                                 {"hGraph", graph.handle},
                                 {"hErrorNode_out", &failed},
                                 {"updateResult_out", &result}});
    launch(p, exec, stream);
    const bool holds = driver.read(place, kBytes) == pairs(1, 2);
    p.expect_value(holds && result.integer() == 0, "MUgraphExecUpdateResult",
                   "MU_GRAPH_EXEC_UPDATE_SUCCESS", "0", std::to_string(result.integer()));
    p.expect(holds, {"muGraphExecUpdate"}, "memory filled with the graph's value",
             "different values");
  });
}

// Memory that a graph allocates and frees.
void probe_memory_nodes(Probing& p) {
  Driver driver(p);
  void* const stream = driver.stream();
  Graph graph(p);
  Record properties(p, "MUmemPoolProps");
  Record location(p, "MUmemLocation");
  location.set("type", p.value("MUmemLocationType", "MU_MEM_LOCATION_TYPE_DEVICE")).set("id", 0);
  properties.set("allocType", p.value("MUmemAllocationType", "MU_MEM_ALLOCATION_TYPE_PINNED"))
      .set("location", location);
  Record params(p, "MUSA_MEM_ALLOC_NODE_PARAMS");
  params.set("poolProps", properties).set("bytesize", kBytes);
  void* const taken = graph.add("muGraphAddMemAllocNode", {{"nodeParams", params.data()}});
  const auto place = static_cast<std::uint64_t>(params.get("dptr"));
  p.expect(place != 0, {"muGraphAddMemAllocNode"}, "an address", "none");
  if (place == 0) return;
  params.decide(true, "an address", "");
  const Record value = memset_of(p, place, 0x0807);
  void* const filled = graph.add(
      "muGraphAddMemsetNode", {{"memsetParams", value.data()}, {"ctx", driver.context()}}, {taken});
  const std::uint64_t to = driver.upload(Bytes(kBytes, 0));
  const Record copy = copy_of(p, to, place);
  void* const copied = graph.add(
      "muGraphAddMemcpyNode", {{"copyParams", copy.data()}, {"ctx", driver.context()}}, {filled});
  void* const freed = graph.add("muGraphAddMemFreeNode", {{"dptr", place}}, {copied});
  decide_type(p, taken, "MU_GRAPH_NODE_TYPE_MEM_ALLOC");
  decide_type(p, freed, "MU_GRAPH_NODE_TYPE_MEM_FREE");
  launch(p, instantiate(p, graph.handle), stream);
  p.expect(driver.read(to, kBytes) == pairs(7, 8), {"muGraphAddMemFreeNode"},
           "memory that lives while the graph runs", "different values");
}

}  // namespace

std::vector<Probe> driver_work_probes() {
  return {{"driver_work.streams", probe_streams},
          {"driver_work.stream_attributes", probe_stream_attributes},
          {"driver_work.events", probe_events},
          {"driver_work.host_functions", probe_host_functions},
          {"driver_work.waiting", probe_waiting},
          {"driver_work.capture", probe_capture},
          {"driver_work.nodes", probe_nodes},
          {"driver_work.edges", probe_edges},
          {"driver_work.child_graphs", probe_child_graphs},
          {"driver_work.event_nodes", probe_event_nodes},
          {"driver_work.copy_nodes", probe_copy_nodes},
          {"driver_work.updates", probe_updates},
          {"driver_work.memory_nodes", probe_memory_nodes}};
}

}  // namespace torchada::verify
