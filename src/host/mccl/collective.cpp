// Builds collectives from exchanges. Every rank is connected to every other, so each piece goes
// straight to where it is needed.
#include "src/host/mccl/collective.h"

#include <algorithm>
#include <cstring>

#include "src/host/mccl/data_types.h"
#include "src/host/mccl/errors.h"
#include "src/host/mccl/exchange.h"

namespace host_mccl {
namespace {

// Up to this size every rank gets all elements of all others and reduces them itself: more work,
// but less waiting.
constexpr std::size_t kWholeBytes = std::size_t{16} << 10;
// For larger amounts, the bytes that one rank reduces at a time: a fraction of the amount, so that
// the other ranks have something to do meanwhile, and at most what caches and rings hold.
constexpr std::size_t kLeastPiece = std::size_t{64} << 10;
constexpr std::size_t kLargestPiece = std::size_t{1} << 20;

// The same on all ranks. `bytes` is what each rank reduces in total.
std::size_t piece_bytes(std::size_t bytes) {
  return std::clamp(in_units(bytes / 8), kLeastPiece, kLargestPiece);
}

constexpr std::array<std::byte, 8> kNoScalar{};

class Performance {
 public:
  Performance(const Collective& collective, Communicator& communicator, std::uint64_t sequence)
      : collective_(collective),
        communicator_(communicator),
        size_(*element_size(collective.type)),
        source_(static_cast<const std::byte*>(collective.source)),
        destination_(static_cast<std::byte*>(collective.destination)),
        received_(communicator.ranks) {
    own_.kind = collective.kind;
    own_.type = collective.type;
    own_.sequence = sequence;
    own_.count = collective.count;
    own_.operation = static_cast<int>(collective.operation);
    own_.root = collective.root;
    own_.scalar = kNoScalar;
    if (const auto& scale = collective.scale) {
      own_.scalar = scale->immediate;
      if (scale->device_scalar != nullptr) {
        std::memcpy(own_.scalar.data(), scale->device_scalar, size_);
      }
    }
  }

  mcclResult_t run() {
    switch (collective_.kind) {
      case OperationKind::kAllReduce:
        return collective_.count * size_ <= kWholeBytes ? reduce_whole() : reduce_in_pieces();
      case OperationKind::kReduce:
        return reduce_in_pieces();
      case OperationKind::kReduceScatter:
        return reduce_scatter();
      default:
        return move();
    }
  }

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(communicator_.ranks); }
  std::size_t rank() const { return static_cast<std::size_t>(communicator_.rank); }
  bool at_root() const { return communicator_.rank == collective_.root; }

  // One exchange with all others. The first begins with announcements.
  void begin_round() {
    flows_.clear();
    for (int other = 0; other < communicator_.ranks; ++other) {
      if (other == communicator_.rank) continue;
      Peer& peer = communicator_.peer(other);
      flows_.emplace_back(communicator_, peer, kCollective, true);
      flows_.emplace_back(communicator_, peer, kCollective, false);
      if (announced_) continue;
      flows_[flows_.size() - 2].announcement(own_);
      flows_.back().announcement(own_, &received_[other]);
    }
    announced_ = true;
  }
  std::size_t place(std::size_t other) const { return 2 * (other < rank() ? other : other - 1); }
  Flow& to(std::size_t other) { return flows_[place(other)]; }
  Flow& from(std::size_t other) { return flows_[place(other) + 1]; }
  template <typename Work>
  void for_others(Work work) {
    for (std::size_t other = 0; other < ranks(); ++other) {
      if (other != rank()) work(other);
    }
  }

  // Reduces `count` elements to `result`. This rank's own elements are at `own`.
  mcclResult_t run_round(const std::byte* own, std::byte* result, std::size_t count,
                         bool fold_after_sending) {
    std::vector<Fold::Input> inputs;
    for (std::size_t each = 0; each < ranks(); ++each) {
      if (each == rank()) {
        inputs.push_back({nullptr, nullptr, own, own_.scalar.data()});
        continue;
      }
      Peer& peer = communicator_.peer(static_cast<int>(each));
      inputs.push_back({&peer, &from(each), nullptr, received_[each].scalar.data()});
    }
    Fold fold(communicator_, folder(collective_.type, collective_.operation), size_,
              std::move(inputs), result, count);
    return host_mccl::run(communicator_, flows_, &fold, fold_after_sending);
  }

  mcclResult_t run_round() { return host_mccl::run(communicator_, flows_); }

  mcclResult_t reduce_whole() {
    begin_round();
    for_others([&](std::size_t other) { to(other).data(source_, collective_.count * size_); });
    // In place, the elements must be sent before they are overwritten.
    return run_round(source_, destination_, collective_.count, true);
  }

  // A part of the elements. Each rank reduces one piece of it.
  struct Part {
    std::size_t begin = 0;
    std::size_t count = 0;
    std::size_t piece = 0;  // elements of each rank's piece; the last ones may be shorter or empty

    std::size_t piece_begin(std::size_t of_rank) const {
      return begin + std::min(count, of_rank * piece);
    }
    std::size_t piece_count(std::size_t of_rank) const {
      return piece_begin(of_rank + 1) - piece_begin(of_rank);
    }
  };

  Part part_at(std::size_t begin) const {
    const std::size_t most = piece_ / size_ * ranks();
    Part part;
    part.begin = begin;
    part.count = std::min(most, collective_.count - begin);
    part.piece = (part.count + ranks() - 1) / ranks();
    return part;
  }

  // While the pieces of one part are reduced, those of the part before it are sent to all ranks or
  // to the root.
  mcclResult_t reduce_in_pieces() {
    const bool to_all = collective_.kind == OperationKind::kAllReduce;
    const bool takes = to_all || at_root();
    piece_ = piece_bytes(collective_.count * size_ / ranks());
    std::vector<std::byte> kept(takes ? 0 : piece_);
    std::vector<std::byte> handed(takes ? 0 : piece_);
    Part before;
    for (std::size_t begin = 0;; begin += before.count) {
      const Part part = part_at(begin);
      if (announced_ && part.count == 0 && before.count == 0) return mcclSuccess;
      begin_round();
      std::swap(kept, handed);
      const std::byte* const finished =
          takes ? destination_ + before.piece_begin(rank()) * size_ : handed.data();
      for_others([&](std::size_t other) {
        if (to_all || static_cast<int>(other) == collective_.root) {
          to(other).data(finished, before.piece_count(rank()) * size_);
        }
        if (takes) {
          from(other).data(destination_ + before.piece_begin(other) * size_,
                           before.piece_count(other) * size_);
        }
        to(other).data(source_ + part.piece_begin(other) * size_, part.piece_count(other) * size_);
      });
      const std::size_t own = part.piece_begin(rank());
      const mcclResult_t status =
          run_round(source_ + own * size_, takes ? destination_ + own * size_ : kept.data(),
                    part.piece_count(rank()), false);
      if (status != mcclSuccess) return status;
      before = part;
      if (part.count == 0) return mcclSuccess;
    }
  }

  mcclResult_t reduce_scatter() {
    const std::size_t most = piece_bytes(collective_.count * size_) / size_;
    std::size_t begin = 0;
    do {
      const std::size_t count = std::min(most, collective_.count - begin);
      begin_round();
      const auto at = [&](std::size_t each) {
        return source_ + (each * collective_.count + begin) * size_;
      };
      for_others([&](std::size_t other) { to(other).data(at(other), count * size_); });
      const mcclResult_t status = run_round(at(rank()), destination_ + begin * size_, count, false);
      if (status != mcclSuccess) return status;
      begin += count;
    } while (begin < collective_.count);
    return mcclSuccess;
  }

  // All collectives that only move elements.
  mcclResult_t move() {
    begin_round();
    const std::size_t bytes = collective_.count * size_;
    switch (collective_.kind) {
      case OperationKind::kBroadcast:
        if (at_root()) {
          for_others([&](std::size_t other) { to(other).data(source_, bytes); });
          keep(0, 0, bytes);
        } else {
          from(static_cast<std::size_t>(collective_.root)).data(destination_, bytes);
        }
        break;
      case OperationKind::kAllGather:
        for_others([&](std::size_t other) {
          to(other).data(source_, bytes);
          from(other).data(destination_ + other * bytes, bytes);
        });
        keep(0, rank() * bytes, bytes);
        break;
      case OperationKind::kAllToAllV:
        return move_varying();
      case OperationKind::kAllToAll:
        set_source_aside(ranks() * bytes);
        for_others([&](std::size_t other) {
          to(other).data(source_ + other * bytes, bytes);
          from(other).data(destination_ + other * bytes, bytes);
        });
        keep(rank() * bytes, rank() * bytes, bytes);
        break;
      default:
        break;
    }
    return run_round();
  }

  mcclResult_t move_varying() {
    const Collective& all = collective_;
    // Each rank must send what the receiver expects, so the ranks compare counts first.
    std::vector<std::uint64_t> told(all.send_counts.begin(), all.send_counts.end());
    std::vector<std::uint64_t> heard(ranks());
    for_others([&](std::size_t other) {
      to(other).data(&told[other], sizeof told[other]);
      from(other).data(&heard[other], sizeof heard[other]);
    });
    mcclResult_t status = run_round();
    if (status != mcclSuccess) return status;
    for_others([&](std::size_t other) {
      if (heard[other] == all.receive_counts[other] || status != mcclSuccess) return;
      status =
          fail(mcclInvalidUsage, "mcclAllToAllv: rank %zu sends %llu elements, expected %zu", other,
               static_cast<unsigned long long>(heard[other]), all.receive_counts[other]);
      communicator_.break_down(status);
    });
    if (status != mcclSuccess) return status;
    std::size_t end = 0;
    for (std::size_t each = 0; each < ranks(); ++each) {
      end = std::max(end, (all.send_places[each] + all.send_counts[each]) * size_);
    }
    set_source_aside(end);
    begin_round();
    for_others([&](std::size_t other) {
      to(other).data(source_ + all.send_places[other] * size_, all.send_counts[other] * size_);
      from(other).data(destination_ + all.receive_places[other] * size_,
                       all.receive_counts[other] * size_);
    });
    keep(all.send_places[rank()] * size_, all.receive_places[rank()] * size_,
         all.send_counts[rank()] * size_);
    return run_round();
  }

  // In place, incoming data would overwrite data not yet sent.
  void set_source_aside(std::size_t bytes) {
    if (source_ != destination_ || bytes == 0) return;
    aside_.assign(source_, source_ + bytes);
    source_ = aside_.data();
  }

  // Copies what this rank sends to itself.
  void keep(std::size_t from_byte, std::size_t to_byte, std::size_t bytes) {
    if (bytes != 0 && destination_ + to_byte != source_ + from_byte) {
      std::memmove(destination_ + to_byte, source_ + from_byte, bytes);
    }
  }

  const Collective& collective_;
  Communicator& communicator_;
  const std::size_t size_;
  const std::byte* source_;
  std::byte* const destination_;
  std::vector<std::byte> aside_;
  Announcement own_{};
  std::vector<Announcement> received_;
  std::vector<Flow> flows_;
  std::size_t piece_ = 0;  // bytes
  bool announced_ = false;
};

}  // namespace

mcclResult_t carry_out(const Collective& collective, Communicator& communicator,
                       std::uint64_t sequence) {
  if (communicator.failure() != mcclSuccess) return communicator.failure();
  return Performance(collective, communicator, sequence).run();
}

}  // namespace host_mccl
