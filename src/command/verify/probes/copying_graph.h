// A graph that copies 64 bytes on the device, and its executable.
#pragma once

#include <vector>

#include "src/command/verify/probes/memory.h"

namespace torchada::verify {

class CopyingGraph {
 public:
  explicit CopyingGraph(Probing& p) : p_(p), device_(p) {
    p.good("musaStreamCreate", {{"pStream", &stream_}});
    p.good("musaGraphCreate", {{"pGraph", &graph_}, {"flags", 0}});
    OutBuffer node;
    p.good("musaGraphAddMemcpyNode1D",
           {{"pGraphNode", &node},
            {"graph", graph_.pointer()},
            {"pDependencies", nullptr},
            {"numDependencies", 0},
            {"dst", to_ = device_.upload(std::vector<unsigned char>(64, 0))},
            {"src", device_.upload(bytes_)},
            {"count", 64},
            {"kind", p.value("musaMemcpyKind", "musaMemcpyDeviceToDevice")}});
    p.good("musaGraphInstantiateWithFlags",
           {{"pGraphExec", &executable_}, {"graph", graph_.pointer()}, {"flags", 0}});
  }

  void* handle() const { return graph_.pointer(); }

  void destroy_graph() { p_.good("musaGraphDestroy", {{"graph", graph_.pointer()}}); }

  // Returns MUSA's status.
  std::int64_t launch() {
    return p_
        .call("musaGraphLaunch",
              {{"graphExec", executable_.pointer()}, {"stream", stream_.pointer()}})
        .number;
  }

  // Whether the launched graph ran and copied.
  bool has_copied() {
    return p_.call("musaStreamSynchronize", {{"stream", stream_.pointer()}}).number == 0 &&
           device_.download<unsigned char>(to_, bytes_.size()) == bytes_;
  }

 private:
  Probing& p_;
  Device device_;
  OutBuffer stream_, graph_, executable_;
  const std::vector<unsigned char> bytes_ = std::vector<unsigned char>(64, 5);
  unsigned char* to_ = nullptr;
};

}  // namespace torchada::verify
