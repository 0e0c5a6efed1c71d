#include "src/host/mccl/batch.h"

#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "src/host/mccl/errors.h"
#include "src/host/mccl/per_process.h"
#include "src/host/mccl/threads.h"
#include "src/host/mccl/transfers.h"
#include "src/host/shared/stream_work.h"

namespace host_mccl {
namespace {

// The work of one communicator in one stream: either collectives, in order, or transfers, all at
// once.
struct Lane {
  CommunicatorPtr communicator;
  std::vector<Collective> collectives;
  std::uint64_t first_ticket = 0;
  std::vector<TransferChain> chains;

  void take_tickets() {
    if (!collectives.empty()) first_ticket = communicator->collectives.take(collectives.size());
    for (TransferChain& chain : chains) {
      chain.ticket = ticket_order_of(*communicator, chain).take(chain.buffers.size());
    }
  }
  void give_tickets_back() {
    if (!collectives.empty()) communicator->collectives.give_back(collectives.size());
    for (const TransferChain& chain : chains) {
      ticket_order_of(*communicator, chain).give_back(chain.buffers.size());
    }
  }

  void run() const {
    if (!chains.empty()) {
      static_cast<void>(carry_out(chains, *communicator));
      return;
    }
    for (std::size_t i = 0; i < collectives.size(); ++i) {
      if (!await_turn(first_ticket + i)) return;
      if (carry_out(collectives[i], *communicator, first_ticket + i) != mcclSuccess) return;
      communicator->collectives.done();
      communicator->event().signal();
    }
  }

 private:
  // The collectives of a communicator keep their order even in different streams.
  bool await_turn(std::uint64_t ticket) const {
    Backoff backoff;
    while (communicator->failure() == mcclSuccess) {
      const std::uint32_t seen = communicator->event().value();
      if (communicator->collectives.is_turn_of(ticket)) return true;
      backoff.wait(communicator->event(), seen);
    }
    return false;
  }
};

// The work that goes into one stream.
struct Batch {
  musaStream_t stream = nullptr;
  int device = 0;
  std::deque<Lane> lanes;

  Lane& lane(const CommunicatorPtr& communicator, bool of_transfers) {
    for (Lane& each : lanes) {
      if (each.communicator == communicator && each.chains.empty() != of_transfers) return each;
    }
    Lane& made = lanes.emplace_back();
    made.communicator = communicator;
    return made;
  }

  void run() const {
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < lanes.size(); ++i) {
      others.push_back(quiet_thread("mccl-lane", [&lane = lanes[i]] { lane.run(); }));
      if (others.back().joinable()) continue;
      lanes[i].communicator->break_down(fail(mcclSystemError, "cannot start a thread"));
      others.pop_back();
    }
    lanes[0].run();
    for (std::thread& other : others) other.join();
  }
};

// A batch that was started. Its communicators see the work end when nothing here refers to them any
// more: the thread that waits for that may then close them.
class StartedBatch {
 public:
  explicit StartedBatch(Batch batch) : batch_(std::move(batch)) {
    for (const Lane& lane : batch_.lanes) pieces_.emplace_back(lane.communicator->work);
  }
  const Batch& operator*() const { return batch_; }
  Batch& operator*() { return batch_; }

 private:
  std::deque<WorkCount::Piece> pieces_;  // before the batch, so destroyed after it
  Batch batch_;
};

struct Launches {
  std::mutex mutex;  // keeps tickets in the order of the streams' work
};

// The default stream belongs to the current device, so select the device of the work.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    if (musaGetDevice(&before_) != musaSuccess || before_ == device) return;
    changed_ = musaSetDevice(device) == musaSuccess;
  }
  ~OnDevice() {
    if (changed_) static_cast<void>(musaSetDevice(before_));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

mcclResult_t launch(Batch batch) {
  const OnDevice on_device(batch.device);
  musaStreamCaptureStatus capture = musaStreamCaptureStatusNone;
  const auto status =
      check_musa(musaStreamIsCapturing(batch.stream, &capture), "musaStreamIsCapturing");
  if (status != mcclSuccess) return status;
  const musaStream_t stream = batch.stream;
  if (capture != musaStreamCaptureStatusNone) {
    // Takes new tickets each time the graph runs.
    const auto run = [captured = std::make_shared<Batch>(std::move(batch))] {
      StartedBatch started(*captured);
      for (Lane& lane : (*started).lanes) lane.take_tickets();
      (*started).run();
    };
    return check_musa(host::enqueue(stream, run), "musaLaunchHostFunc");
  }
  const auto started = std::make_shared<StartedBatch>(std::move(batch));
  for (Lane& lane : (**started).lanes) lane.take_tickets();
  const auto result =
      check_musa(host::enqueue(stream, [started] { (**started).run(); }), "musaLaunchHostFunc");
  if (result == mcclSuccess) return result;
  for (Lane& lane : (**started).lanes) lane.give_tickets_back();
  return result;
}

class Batches {
 public:
  Lane& lane(musaStream_t stream, const CommunicatorPtr& communicator, bool of_transfers) {
    const int device = communicator->device;
    for (Batch& each : batches_) {
      if (each.stream == stream && each.device == device) {
        return each.lane(communicator, of_transfers);
      }
    }
    Batch& made = batches_.emplace_back();
    made.stream = stream;
    made.device = device;
    return made.lane(communicator, of_transfers);
  }

  void add(const TransferWork& work) {
    Lane& lane = this->lane(work.stream, work.communicator, true);
    for (TransferChain& chain : lane.chains) {
      if (chain.peer != work.peer || chain.sending != work.sending) continue;
      chain.buffers.push_back({work.buffer, work.bytes});
      return;
    }
    lane.chains.push_back({work.peer, work.sending, {{work.buffer, work.bytes}}, 0});
  }

  mcclResult_t launch_all() {
    const std::lock_guard lock(per_process<Launches>().mutex);
    for (Batch& batch : batches_) {
      const mcclResult_t result = launch(std::move(batch));
      if (result != mcclSuccess) return result;
    }
    return mcclSuccess;
  }

 private:
  std::deque<Batch> batches_;
};

}  // namespace

mcclResult_t launch(const std::vector<CollectiveWork>& collectives,
                    const std::vector<TransferWork>& transfers) {
  Batches batches;
  for (const CollectiveWork& work : collectives) {
    batches.lane(work.stream, work.communicator, false).collectives.push_back(work.collective);
  }
  for (const TransferWork& work : transfers) batches.add(work);
  return batches.launch_all();
}

}  // namespace host_mccl
