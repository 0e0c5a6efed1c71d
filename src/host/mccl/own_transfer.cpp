#include "src/host/mccl/own_transfer.h"

#include <cstring>
#include <memory>

#include "src/host/mccl/errors.h"
#include "src/host/shared/stream_work.h"

namespace host_mccl {
namespace {

// Makes later work in `later` wait for the work now in `earlier`.
mcclResult_t order(musaStream_t earlier, musaStream_t later) {
  musaEvent_t event = nullptr;
  const auto created =
      check_musa(musaEventCreateWithFlags(&event, musaEventDisableTiming), "musaEventCreate");
  if (created != mcclSuccess) return created;
  auto result = check_musa(musaEventRecord(event, earlier), "musaEventRecord");
  if (result == mcclSuccess) {
    result = check_musa(musaStreamWaitEvent(later, event, 0), "musaStreamWaitEvent");
  }
  musaEventDestroy(event);
  return result;
}

std::shared_ptr<WorkCount::Piece> started_work(const OwnTransfer& transfer) {
  return std::make_shared<WorkCount::Piece>(transfer.receive.communicator->work);
}

mcclResult_t copy(const OwnTransfer& transfer) {
  const auto work = [from = transfer.send.buffer, to = transfer.receive.buffer,
                     bytes = transfer.send.bytes,
                     started = started_work(transfer)] { std::memmove(to, from, bytes); };
  return check_musa(host::enqueue(transfer.receive.stream, work), "musaLaunchHostFunc");
}

}  // namespace

mcclResult_t take_own_transfers(std::vector<TransferWork>& transfers,
                                std::vector<OwnTransfer>& own) {
  std::vector<TransferWork> others;
  std::vector<TransferWork> receives;
  std::vector<TransferWork> sends;
  for (TransferWork& work : transfers) {
    auto& list = work.peer != work.communicator->rank ? others : work.sending ? sends : receives;
    list.push_back(std::move(work));
  }
  for (const TransferWork& send : sends) {
    auto receive = receives.begin();
    while (receive != receives.end() && receive->communicator != send.communicator) ++receive;
    if (receive == receives.end()) {
      return fail(mcclInvalidUsage, "a send to this rank has no receive in the same group");
    }
    if (receive->bytes != send.bytes) {
      return fail(mcclInvalidUsage, "a send of %zu bytes meets a receive of %zu bytes", send.bytes,
                  receive->bytes);
    }
    own.push_back({send, *receive});
    receives.erase(receive);
  }
  transfers = std::move(others);
  if (receives.empty()) return mcclSuccess;
  return fail(mcclInvalidUsage, "a receive from this rank has no send in the same group");
}

mcclResult_t launch(const OwnTransfer& transfer) {
  const TransferWork& send = transfer.send;
  const TransferWork& receive = transfer.receive;
  if (send.stream == receive.stream) return copy(transfer);
  auto result = order(send.stream, receive.stream);
  if (result == mcclSuccess) result = copy(transfer);
  if (result == mcclSuccess) result = order(receive.stream, send.stream);
  return result;
}

}  // namespace host_mccl
