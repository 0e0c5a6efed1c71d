#include "src/host/mccl/exchange.h"

#include <algorithm>
#include <cstring>

#include "src/host/mccl/errors.h"

namespace host_mccl {
namespace {

constexpr std::size_t kPortion = std::size_t{128} << 10;

}  // namespace

Flow::Flow(Communicator& communicator, Peer& peer, ChannelKind kind, bool sending)
    : communicator_(communicator),
      peer_(peer),
      ring_(sending ? peer.channels[kind].out : peer.channels[kind].in),
      sending_(sending) {}

void Flow::data(const void* at, std::size_t size) {
  if (size != 0) pieces_.push_back({static_cast<std::byte*>(const_cast<void*>(at)), size, nullptr});
}

void Flow::announcement(const Announcement& own, Announcement* received) {
  if (sending_) return data(&own, sizeof own);
  pieces_.push_back({reinterpret_cast<std::byte*>(received), sizeof own, &own});
}

void Flow::take_turn(TicketOrder& order, std::uint64_t ticket, std::uint64_t count) {
  order_ = &order;
  ticket_ = ticket;
  tickets_ = count;
}

bool Flow::step() {
  if (done_) return false;
  if (order_ != nullptr && !order_->is_turn_of(ticket_)) return false;
  bool moved = false;
  while (!done_ && advance()) moved = true;
  tell_reader();
  return moved;
}

bool Flow::advance() {
  if (current_ < pieces_.size()) {
    Piece& piece = pieces_[current_];
    if (!move_some(piece)) {
      lose_peer();
      return false;
    }
    return moved_ < in_units(piece.size) || finish_piece(piece);
  }
  finish();
  return true;
}

bool Flow::move_some(Piece& piece) {
  const Bytes bytes = sending_ ? ring_.writable() : ring_.readable();
  // In portions, so that the other side can process one while this side moves the next.
  const std::size_t size = std::min({bytes.size, in_units(piece.size) - moved_, kPortion});
  if (size == 0) return false;
  // The padding of the last unit carries no data.
  const std::size_t meant = moved_ < piece.size ? std::min(size, piece.size - moved_) : 0;
  if (sending_) {
    std::memcpy(bytes.data, piece.at + moved_, meant);
    ring_.wrote(size);
    untold_ += size;
    if (untold_ >= kPortion) tell_reader();
  } else {
    std::memcpy(piece.at + moved_, bytes.data, meant);
    ring_.consumed(size);
  }
  moved_ += size;
  return true;
}

bool Flow::finish_piece(const Piece& piece) {
  moved_ = 0;
  ++current_;
  if (!sending_) ring_.tell_writer();
  if (piece.expected == nullptr) return true;
  Announcement received;
  std::memcpy(&received, piece.at, sizeof received);
  if (agree(*piece.expected, received)) return true;
  communicator_.break_down(fail(
      mcclInvalidUsage, "the ranks call different operations: rank %d calls %s, rank %d calls %s",
      communicator_.rank, text_of(*piece.expected).c_str(), peer_.rank, text_of(received).c_str()));
  return false;
}

void Flow::tell_reader() {
  if (untold_ == 0) return;
  untold_ = 0;
  ring_.tell_reader();
}

void Flow::finish() {
  done_ = true;
  if (order_ == nullptr) return;
  order_->done(tickets_);
  communicator_.event().signal();
}

// Looks at the ring once more: what the peer sent before it went away still counts.
void Flow::lose_peer() {
  if (!peer_.gone) return;
  const bool waits_for_peer = sending_ ? ring_.room() == 0 : ring_.filled() == 0;
  if (!waits_for_peer) return;
  communicator_.miss(peer_);
}

Fold::Fold(Communicator& communicator, const Folder& folder, std::size_t element_size,
           std::vector<Input> inputs, std::byte* to, std::size_t count)
    : communicator_(communicator),
      folder_(folder),
      element_size_(element_size),
      inputs_(std::move(inputs)),
      to_(to),
      count_(count) {}

bool Fold::take(const Input& input, std::size_t elements, std::size_t bytes) {
  if (input.flow != nullptr && !input.flow->is_done()) return false;
  auto* const work = next_ == 0 ? folder_.begin : folder_.add;
  if (input.peer == nullptr) {
    work(memory_, 0, input.own + begun_ * element_size_, elements, input.scalar);
    return true;
  }
  Ring& ring = input.peer->channels[kCollective].in;
  // Read before the ring: what is in the ring then is all there will be.
  const bool ended = input.peer->gone;
  if (ring.filled() < in_units(bytes)) {
    if (ended) communicator_.miss(*input.peer);
    return false;
  }
  for (std::size_t done = 0; done < bytes;) {
    const Bytes part = ring.readable(done);
    const std::size_t size = std::min(part.size, bytes - done);
    work(memory_, done / element_size_, part.data, size / element_size_, input.scalar);
    done += size;
  }
  ring.consumed(in_units(bytes));
  return true;
}

bool Fold::step() {
  bool moved = false;
  while (!is_done()) {
    const std::size_t elements = std::min(kFoldElements, count_ - begun_);
    const std::size_t bytes = elements * element_size_;
    if (!take(inputs_[next_], elements, bytes)) return moved;
    moved = true;
    if (++next_ < inputs_.size()) continue;
    next_ = 0;
    folder_.end(memory_, to_ + begun_ * element_size_, elements, communicator_.ranks);
    begun_ += elements;
  }
  for (const Input& input : inputs_) {
    if (moved && input.peer != nullptr) input.peer->channels[kCollective].in.tell_writer();
  }
  return moved;
}

mcclResult_t run(Communicator& communicator, std::vector<Flow>& flows, Fold* fold,
                 bool fold_after_sending) {
  Backoff backoff;
  while (true) {
    const std::uint32_t seen = communicator.event().value();
    bool moved = false;
    bool done = true;
    for (Flow& flow : flows) {
      moved = flow.step() || moved;
      done = done && flow.is_done();
    }
    if (fold != nullptr && (done || !fold_after_sending)) {
      moved = fold->step() || moved;
      done = done && fold->is_done();
    }
    if (communicator.failure() != mcclSuccess) return communicator.failure();
    if (done) return mcclSuccess;
    if (moved) {
      backoff.reset();
    } else {
      backoff.wait(communicator.event(), seen);
    }
  }
}

}  // namespace host_mccl
