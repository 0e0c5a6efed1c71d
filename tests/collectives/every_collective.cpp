// every_collective ID_FILE RANKS RANK quick|full [no_float8]: every collective, type and operator,
// with odd sizes and zero, in place and not, compared with the reference.
#include <numeric>

#include "tests/collectives/rank.h"

namespace {

constexpr int kOperations = 6;
int checks = 0;

std::vector<Bytes> inputs(int type, int operation, std::size_t count, int ranks, int round) {
  std::vector<Bytes> all;
  for (int rank = 0; rank < ranks; ++rank) {
    all.push_back(input(type, operation, count, rank, round));
  }
  return all;
}

Bytes slice(const Bytes& bytes, std::size_t begin, std::size_t size) {
  return {bytes.begin() + static_cast<std::ptrdiff_t>(begin),
          bytes.begin() + static_cast<std::ptrdiff_t>(begin + size)};
}

void compare(const char* what, int type, int operation, std::size_t count, const Bytes& got,
             const Bytes& expected) {
  ++checks;
  if (got == expected) return;
  std::size_t at = 0;
  while (at < got.size() && got[at] == expected[at]) ++at;
  std::fprintf(stderr, "rank %d: %s type %d operator %d count %zu: differs at byte %zu of %zu\n",
               my_rank(), what, type, operation, count, at, got.size());
  std::_Exit(1);
}

class Operator {
 public:
  Operator(const Rank& rank, int type, int operation) : rank_(rank), number_(operation) {
    if (operation != kPremul) return;
    Bytes scalar = encode(type, scalar_of(type, rank.rank()));
    scalar.resize(8);
    made_ = true;
    EXPECT(ncclRedOpCreatePreMulSum(&number_, scalar.data(), type, 1, rank.comm()) == kSuccess);
  }
  ~Operator() {
    if (made_) EXPECT(ncclRedOpDestroy(number_, rank_.comm()) == kSuccess);
  }
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;
  int number() const { return number_; }

 private:
  const Rank& rank_;
  int number_;
  bool made_ = false;
};

void reductions(const Rank& rank, int type, int operation, std::size_t count, int round) {
  const Operator op(rank, type, operation);
  const std::size_t bytes = count * size_of(type);
  const auto ranks = static_cast<std::size_t>(rank.ranks());
  const auto own = static_cast<std::size_t>(rank.rank());
  const auto all = inputs(type, operation, count, rank.ranks(), round);
  const Bytes expected = reduced(type, operation, all);

  const DeviceBytes from(all[own]);
  const DeviceBytes to(bytes);
  EXPECT(ncclAllReduce(from.get(), to.get(), count, type, op.number(), rank.comm(),
                       rank.stream()) == 0);
  const int root = round % rank.ranks();
  const DeviceBytes at_root(bytes);
  EXPECT(ncclReduce(from.get(), own == static_cast<std::size_t>(root) ? at_root.get() : nullptr,
                    count, type, op.number(), root, rank.comm(), rank.stream()) == 0);
  const DeviceBytes in_place(all[own]);
  EXPECT(ncclAllReduce(in_place.get(), in_place.get(), count, type, op.number(), rank.comm(),
                       rank.stream()) == 0);
  rank.wait();
  compare("AllReduce", type, operation, count, to.read(), expected);
  compare("AllReduce's source", type, operation, count, from.read(), all[own]);
  compare("AllReduce in place", type, operation, count, in_place.read(), expected);
  compare("Reduce", type, operation, count, at_root.read(),
          static_cast<int>(own) == root ? expected : Bytes(bytes, 0xee));

  const auto wide = inputs(type, operation, count * ranks, rank.ranks(), round + 1);
  const Bytes whole = reduced(type, operation, wide);
  const DeviceBytes scattered(wide[own]);
  const DeviceBytes piece(bytes);
  EXPECT(ncclReduceScatter(scattered.get(), piece.get(), count, type, op.number(), rank.comm(),
                           rank.stream()) == 0);
  EXPECT(ncclReduceScatter(scattered.get(), scattered.get() + own * bytes, count, type, op.number(),
                           rank.comm(), rank.stream()) == 0);
  rank.wait();
  compare("ReduceScatter", type, operation, count, piece.read(), slice(whole, own * bytes, bytes));
  compare("ReduceScatter in place", type, operation, count,
          slice(scattered.read(), own * bytes, bytes), slice(whole, own * bytes, bytes));
}

void movements(const Rank& rank, int type, std::size_t count, int round) {
  const std::size_t bytes = count * size_of(type);
  const auto ranks = static_cast<std::size_t>(rank.ranks());
  const auto own = static_cast<std::size_t>(rank.rank());
  const auto all = inputs(type, kSum, count, rank.ranks(), round);
  Bytes gathered;
  for (const Bytes& each : all) gathered.insert(gathered.end(), each.begin(), each.end());

  const DeviceBytes from(all[own]);
  const DeviceBytes to(bytes * ranks);
  DeviceBytes in_place(bytes * ranks);
  in_place.write(all[own], own * bytes);
  EXPECT(ncclAllGather(from.get(), to.get(), count, type, rank.comm(), rank.stream()) == 0);
  EXPECT(ncclAllGather(in_place.get() + own * bytes, in_place.get(), count, type, rank.comm(),
                       rank.stream()) == 0);
  const int root = (round + 1) % rank.ranks();
  const DeviceBytes copy(bytes);
  const DeviceBytes same(all[own]);
  EXPECT(ncclBroadcast(static_cast<int>(own) == root ? from.get() : nullptr, copy.get(), count,
                       type, root, rank.comm(), rank.stream()) == 0);
  EXPECT(ncclBcast(same.get(), count, type, root, rank.comm(), rank.stream()) == 0);
  rank.wait();
  compare("AllGather", type, 0, count, to.read(), gathered);
  compare("AllGather in place", type, 0, count, in_place.read(), gathered);
  compare("Broadcast", type, 0, count, copy.read(), all[root]);
  compare("Bcast", type, 0, count, same.read(), all[root]);

  const auto wide = inputs(type, kSum, count * ranks, rank.ranks(), round);
  Bytes turned;
  for (const Bytes& each : wide) {
    turned.insert(turned.end(), each.begin() + static_cast<std::ptrdiff_t>(own * bytes),
                  each.begin() + static_cast<std::ptrdiff_t>((own + 1) * bytes));
  }
  const DeviceBytes sent(wide[own]);
  const DeviceBytes received(bytes * ranks);
  EXPECT(ncclAlltoAll(sent.get(), received.get(), count, type, rank.comm(), rank.stream()) == 0);
  // The same with single messages, twice. Each rank uses a different order.
  const DeviceBytes pieces(bytes * ranks);
  const DeviceBytes again(bytes * ranks);
  EXPECT(ncclGroupStart() == 0);
  for (const DeviceBytes* target : {&pieces, &again}) {
    for (std::size_t step = 0; step < ranks; ++step) {
      const std::size_t peer = (own * 3 + step) % ranks;
      const std::size_t other = (own + step) % ranks;
      EXPECT(ncclRecv(target->get() + peer * bytes, count, type, static_cast<int>(peer),
                      rank.comm(), rank.stream()) == 0);
      EXPECT(ncclSend(sent.get() + other * bytes, count, type, static_cast<int>(other), rank.comm(),
                      rank.stream()) == 0);
    }
  }
  EXPECT(ncclGroupEnd() == 0);
  rank.wait();
  compare("AlltoAll", type, 0, count, received.read(), turned);
  compare("Send and Recv", type, 0, count, pieces.read(), turned);
  compare("Send and Recv again", type, 0, count, again.read(), turned);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  Rank rank(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  const bool quick = argc > 4 && std::string(argv[4]) == "quick";
  // An old MCCL's numbers for these types are unknown, so the replacement library refuses them.
  const int types = argc > 5 ? kFloat8E4M3 : kTypes;
  int round = 0;
  for (int type = 0; type < types; ++type) {
    for (const std::size_t count : quick ? std::vector<std::size_t>{0, 5, 3001}
                                         : std::vector<std::size_t>{0, 1, 7, 1000, 4099}) {
      for (int operation = 0; operation < kOperations; ++operation) {
        reductions(rank, type, operation, count, round++);
      }
      movements(rank, type, count, round++);
    }
  }
  // More than a ring holds, and more than one piece for each rank.
  for (const int type : {kFloat32, kBfloat16, kInt8}) {
    reductions(rank, type, kSum, quick ? 70001 : 300007, round++);
    movements(rank, type, quick ? 70001 : 300007, round++);
  }
  EXPECT(rank.async_error() == kSuccess);
  rank.destroy();
  std::printf("%d checks\n", checks);
  return 0;
}
