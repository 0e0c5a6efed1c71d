#include "transfer.h"

#include "errors.h"

namespace host_mccl {
namespace {

// What follows in `later` waits for what is now in `earlier`.
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

}  // namespace

mcclResult_t launch(const Transfer& transfer) {
  const Endpoint& send = transfer.send;
  const Endpoint& receive = transfer.receive;
  const Movement movement{send.buffer, receive.buffer, send.bytes, mcclUint8, {}};
  if (send.stream == receive.stream) return launch(movement, receive.stream);
  auto result = order(send.stream, receive.stream);
  if (result == mcclSuccess) result = launch(movement, receive.stream);
  if (result == mcclSuccess) result = order(receive.stream, send.stream);
  return result;
}

}  // namespace host_mccl
