#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "src/host/mccl/engine.h"
#include "src/host/mccl/ring.h"

namespace host_mccl {

// Makes a rank of another host look like one of this host: rings, and threads that carry their
// contents over the network.
class RemoteLink {
 public:
  // `event` belongs to this rank. If the peer is lost, the link sets `gone` and signals `event`.
  RemoteLink(const MCCLEngineCalls& calls, MCCLEngine* engine, int peer, FutexEvent& event,
             std::atomic<bool>& gone);
  ~RemoteLink();
  RemoteLink(const RemoteLink&) = delete;
  RemoteLink& operator=(const RemoteLink&) = delete;

  // Starts to carry one kind of traffic, at the first call. Returns false if no thread could be
  // started.
  bool start(ChannelKind kind);
  Channel channel(ChannelKind kind) const { return traffic_[kind].channel; }

 private:
  struct Traffic {
    FutexEvent out_event;
    FutexEvent in_event;
    std::unique_ptr<std::byte, void (*)(void*)> out_memory{nullptr, nullptr};
    std::unique_ptr<std::byte, void (*)(void*)> in_memory{nullptr, nullptr};
    std::vector<std::byte> out_frame;
    std::vector<std::byte> in_frame;
    Channel channel;
    MCCLEngineFlow* out_flow = nullptr;
    MCCLEngineFlow* in_flow = nullptr;
    std::thread sender;
    std::thread receiver;
    std::once_flag once;
    bool running = false;
  };

  bool run(ChannelKind kind);
  void carry_out(Traffic& traffic);
  void carry_in(Traffic& traffic);
  void lose_peer();

  const MCCLEngineCalls& calls_;
  MCCLEngine* const engine_;
  const int peer_;
  FutexEvent& event_;
  std::atomic<bool>& gone_;
  std::atomic<bool> stopping_{false};
  Traffic traffic_[kChannelKinds];
};

}  // namespace host_mccl
