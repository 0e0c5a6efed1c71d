#pragma once

#include <mccl.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "src/host/mccl/peer.h"
#include "src/host/mccl/scale.h"
#include "src/host/mccl/shared_segment.h"
#include "src/host/mccl/unique_id.h"
#include "src/host/mccl/work_count.h"

namespace host_mccl {

// One of the ranks that communicate.
class Communicator {
 public:
  const int device;
  const int ranks;
  const int rank;

  std::mutex mutex;  // guards the members below
  std::unordered_map<int, Scale> operators;
  std::unordered_set<void*> registrations;
  std::unordered_set<void*> windows;

  Communicator(int on_device, int of_ranks, int own_rank)
      : device(on_device), ranks(of_ranks), rank(own_rank) {}
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  // Finds the other ranks and returns when all have met.
  mcclResult_t connect(const UniqueId& id, const char* caller);
  // Announces that a thread will connect. Until connect() ends, is_connecting() is true and abort()
  // stops it.
  void expect_connection() { connecting_ = true; }
  bool is_connecting() const { return connecting_.load(std::memory_order_acquire); }

  Peer& peer(int other) { return *peers_[other]; }
  FutexEvent& event() { return *event_; }
  TicketOrder collectives;
  const std::shared_ptr<WorkCount> work = std::make_shared<WorkCount>();

  // What ended this communicator's work, or mcclSuccess.
  mcclResult_t failure() const { return failure_.load(std::memory_order_acquire); }
  // The failure, or else the death of a peer that no operation has noticed yet, or mcclInProgress.
  mcclResult_t async_error() const {
    return is_connecting() ? mcclInProgress : async_error_.load(std::memory_order_acquire);
  }
  // Ends all operations of this rank and of the others.
  void break_down(mcclResult_t why);
  // To call when an operation needs something from a peer that is gone.
  void miss(const Peer& peer);
  // Waits until the work that was started has ended, and says goodbye to the others.
  void leave();
  void abort();

 private:
  mcclResult_t find_others(class Meeting& meeting, const UniqueId& id, const char* caller);
  mcclResult_t share_memory(Meeting& meeting, const char* caller);
  bool watch_peers();
  bool hear(Peer& peer);
  void tell(char what, mcclResult_t why);
  void end_operations(mcclResult_t why);

  const std::unique_ptr<FutexEvent> own_event_ = std::make_unique<FutexEvent>();
  FutexEvent* event_ = own_event_.get();  // or one that all ranks see
  SharedSegment segment_;
  std::vector<std::unique_ptr<Peer>> peers_;  // null at this rank's place
  std::atomic<mcclResult_t> failure_{mcclSuccess};
  std::atomic<mcclResult_t> async_error_{mcclSuccess};

  std::mutex connecting_mutex_;  // guards the members below; abort() may run meanwhile
  std::atomic<bool> connecting_{false};
  bool aborted_ = false;
  Meeting* meeting_ = nullptr;  // set while the ranks meet
};

using CommunicatorPtr = std::shared_ptr<Communicator>;

// The live communicator behind a handle. Without one, remembers the error and returns null.
CommunicatorPtr find_communicator(mcclComm_t comm, const char* caller);

}  // namespace host_mccl
