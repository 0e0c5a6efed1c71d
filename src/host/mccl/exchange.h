// Moves bytes between this rank and many others at once.
#pragma once

#include <mccl.h>

#include <cstddef>
#include <vector>

#include "src/host/mccl/announcement.h"
#include "src/host/mccl/communicator.h"
#include "src/host/mccl/reduction.h"

namespace host_mccl {

// One direction between this rank and another. Moves pieces in order.
class Flow {
 public:
  Flow(Communicator& communicator, Peer& peer, ChannelKind kind, bool sending);

  void data(const void* at, std::size_t size);
  // Sends the own announcement, or receives the peer's, which must agree with it, into `received`.
  // Both must live as long as the flow.
  void announcement(const Announcement& own, Announcement* received = nullptr);
  // Makes the flow wait for its turn.
  void take_turn(TicketOrder& order, std::uint64_t ticket, std::uint64_t count);

  // Does what is possible now and returns whether it did anything. May break the communicator down.
  bool step();
  bool is_done() const { return done_; }

 private:
  struct Piece {
    std::byte* at;
    std::size_t size;
    const Announcement* expected;
  };

  bool advance();
  bool move_some(Piece& piece);
  bool finish_piece(const Piece& piece);
  void finish();
  void tell_reader();
  void lose_peer();

  Communicator& communicator_;
  Peer& peer_;
  Ring& ring_;
  const bool sending_;
  std::vector<Piece> pieces_;
  std::size_t current_ = 0;
  std::size_t moved_ = 0;   // of the current piece, in units of the ring
  std::size_t untold_ = 0;  // bytes written, about which the reader has not been told
  TicketOrder* order_ = nullptr;
  std::uint64_t ticket_ = 0;
  std::uint64_t tickets_ = 0;
  bool done_ = false;
};

// Reduces one piece of each rank, in the order of ranks, straight from the rings.
class Fold {
 public:
  struct Input {
    Peer* peer;               // null for this rank
    Flow* flow;               // the elements follow what this flow receives
    const std::byte* own;     // this rank's elements
    const std::byte* scalar;  // 8 bytes
  };

  Fold(Communicator& communicator, const Folder& folder, std::size_t element_size,
       std::vector<Input> inputs, std::byte* to, std::size_t count);

  // As Flow::step().
  bool step();
  bool is_done() const { return begun_ == count_; }

 private:
  bool take(const Input& input, std::size_t elements, std::size_t bytes);

  Communicator& communicator_;
  const Folder& folder_;
  const std::size_t element_size_;
  const std::vector<Input> inputs_;
  std::byte* const to_;
  const std::size_t count_;
  std::size_t begun_ = 0;  // elements finished
  std::size_t next_ = 0;   // input that the current block needs next
  FoldMemory memory_;
};

// Steps all flows until they are done, and the fold with them or after them. Returns early with the
// failure if the communicator breaks down.
mcclResult_t run(Communicator& communicator, std::vector<Flow>& flows, Fold* fold = nullptr,
                 bool fold_after_sending = false);

}  // namespace host_mccl
