#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "src/host/mccl/network.h"
#include "src/host/mccl/ring.h"

namespace host_mccl {

// Makes a rank of another host look like one of this host: rings, and threads that carry their
// contents over the network.
class RemoteLink {
 public:
  // A connection for each kind of traffic. `event` belongs to this rank. The link signals it when
  // traffic ends.
  RemoteLink(std::array<Socket, kChannelKinds> connections, FutexEvent& event);
  ~RemoteLink();
  RemoteLink(const RemoteLink&) = delete;
  RemoteLink& operator=(const RemoteLink&) = delete;

  // Starts to carry one kind of traffic, at the first call. Returns false if no thread could be
  // started.
  bool start(ChannelKind kind);
  Channel channel(ChannelKind kind) const { return traffic_[kind].channel; }
  // Nothing more comes from the peer: all that it sent is in the ring.
  bool ended(ChannelKind kind) const { return traffic_[kind].ended; }

 private:
  struct Traffic {
    FutexEvent out_event;
    FutexEvent in_event;
    Socket connection;
    std::unique_ptr<std::byte, void (*)(void*)> out_memory{nullptr, nullptr};
    std::unique_ptr<std::byte, void (*)(void*)> in_memory{nullptr, nullptr};
    Channel channel;
    std::thread sender;
    std::thread receiver;
    std::once_flag once;
    bool running = false;
    std::atomic<bool> ended{false};
  };

  void carry_out(Traffic& traffic);
  void carry_in(Traffic& traffic);

  FutexEvent& event_;
  std::atomic<bool> stopping_{false};
  Traffic traffic_[kChannelKinds];
};

}  // namespace host_mccl
