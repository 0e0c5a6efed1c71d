// How a rank finds the others.
#pragma once

#include <mccl.h>

#include <array>
#include <mutex>
#include <optional>
#include <vector>

#include "src/host/mccl/gate.h"
#include "src/host/mccl/rendezvous.h"
#include "src/host/mccl/ring.h"

namespace host_mccl {

// A rank's connections to all others, made by meet(). Until finish() returns, the loss of a rank
// ends the waiting of all others.
class Meeting {
 public:
  // `result` is the reason of a failure.
  mcclResult_t meet(const UniqueId& id, int ranks, int rank, const char* caller);
  // Waits until every rank has called finish().
  mcclResult_t finish(const char* caller);
  // Called from another thread: this rank gives up, and the others learn of it.
  void cancel();

  const std::vector<Entry>& entries() const { return entries_; }
  bool same_host(int other) const { return entries_[other].host == entries_[rank_].host; }
  // The connection to a rank; empty for this one.
  Socket& to(int other) { return control_[other]; }
  // Those for data; empty for ranks of this host.
  std::array<Socket, kChannelKinds>& data_to(int other) { return data_[other]; }
  // Waits for data from `socket`; returns false if the meeting broke up first.
  bool await(const Socket& socket);

 private:
  bool talk_to(Socket server);
  std::optional<Verdict> join(const UniqueId& id, const Entry& own, Socket& server) const;
  mcclResult_t ask_server(const UniqueId& id, const Entry& own, Socket server, const char* caller);
  mcclResult_t connect_downwards(const char* caller);
  mcclResult_t connect_to_rank(int other, const Claim& claim, Socket& socket, const char* caller);
  mcclResult_t accept_upwards(const char* caller);
  Claim claim_for(Purpose purpose) const;

  int ranks_ = 0;
  int rank_ = 0;
  Token token_{};
  Secret secret_{};
  std::mutex mutex_;  // guards what cancel() uses
  bool cancelled_ = false;
  Socket server_;
  Gate gate_;
  std::vector<Entry> entries_;
  std::vector<Socket> control_;
  std::vector<std::array<Socket, kChannelKinds>> data_;
};

}  // namespace host_mccl
