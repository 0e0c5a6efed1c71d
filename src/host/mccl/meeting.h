// How a rank finds the others.
#pragma once

#include <mccl.h>

#include <mutex>
#include <vector>

#include "src/host/mccl/rendezvous.h"

namespace host_mccl {

// What a rank shares with the others, given by meet(). Until finish() returns, the loss of a rank
// ends the waiting of all others.
class Meeting {
 public:
  // `result` is the reason of a failure.
  mcclResult_t meet(const UniqueId& id, int ranks, int rank, const char* caller);
  // Waits until every rank has called finish().
  mcclResult_t finish(const char* caller);
  // Called from another thread: this rank gives up, and the others learn of it.
  void cancel();

  // The memory of all ranks; empty if there is one.
  const Socket& memory() const { return memory_; }
  // The connection to a rank; empty for this one.
  Socket& to(int other) { return peers_[other]; }

 private:
  bool talk_to(Socket server);
  mcclResult_t await_all(int ranks, int rank, const char* caller);
  mcclResult_t take(Socket& descriptor, const char* caller);

  std::mutex mutex_;  // guards what cancel() uses
  bool cancelled_ = false;
  Socket server_;
  Socket memory_;
  std::vector<Socket> peers_;
};

}  // namespace host_mccl
