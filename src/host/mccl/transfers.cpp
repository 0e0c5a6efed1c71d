#include "src/host/mccl/transfers.h"

#include "src/host/mccl/errors.h"
#include "src/host/mccl/exchange.h"

namespace host_mccl {

TicketOrder& ticket_order_of(Communicator& communicator, const TransferChain& chain) {
  Peer& peer = communicator.peer(chain.peer);
  return chain.sending ? peer.sends : peer.receives;
}

mcclResult_t carry_out(const std::vector<TransferChain>& chains, Communicator& communicator) {
  std::size_t count = 0;
  for (const TransferChain& chain : chains) count += chain.buffers.size();
  std::vector<Announcement> own;
  std::vector<Announcement> received(count);
  own.reserve(count);  // no reallocation: flows point into it
  std::vector<Flow> flows;
  for (const TransferChain& chain : chains) {
    Peer& peer = communicator.peer(chain.peer);
    Flow& flow = flows.emplace_back(communicator, peer, kDirect, chain.sending);
    flow.take_turn(ticket_order_of(communicator, chain), chain.ticket, chain.buffers.size());
    std::uint64_t sequence = chain.ticket;
    for (const TransferChain::Buffer& buffer : chain.buffers) {
      Announcement& announcement = own.emplace_back();
      announcement.kind = OperationKind::kTransfer;
      announcement.type = mcclUint8;
      announcement.count = buffer.bytes;
      announcement.sequence = sequence++;
      flow.announcement(announcement, &received[own.size() - 1]);
      flow.data(buffer.data, buffer.bytes);
    }
  }
  return run(communicator, flows);
}

}  // namespace host_mccl
