// Several ranks in one process. In tests/collectives each rank has its own process.
#include "tests/host/mccl/several_ranks.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "tests/host/mccl/island.h"

namespace {

using host_tests::DeviceArray;
using host_tests::Island;
using host_tests::Roadblock;
using host_tests::SeveralRanks;
using host_tests::Stream;
using Ints = std::vector<int>;

// One array for each rank.
class Arrays {
 public:
  explicit Arrays(const std::vector<Ints>& values) {
    for (const Ints& each : values) arrays_.push_back(std::make_unique<DeviceArray<int>>(each));
  }
  int* operator[](int rank) const { return arrays_[rank]->data(); }
  std::vector<Ints> values() const {
    std::vector<Ints> all;
    for (const auto& each : arrays_) all.push_back(each->values());
    return all;
  }

 private:
  std::vector<std::unique_ptr<DeviceArray<int>>> arrays_;
};

using Rows = std::vector<Ints>;
const Rows kInput = {{1, 2, 3}, {10, 20, 30}, {100, 200, 300}};
const Rows kZeros = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};

TEST_F(SeveralRanks, mcclAllReduce_reduces_to_all) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  run([&](int rank) {
    return mcclAllReduce(from[rank], to[rank], 3, mcclInt, mcclSum, comms_[rank],
                         streams_[rank].get());
  });
  EXPECT_EQ(to.values(), (Rows{{111, 222, 333}, {111, 222, 333}, {111, 222, 333}}));
  EXPECT_EQ(from.values(), kInput);
}

TEST_F(SeveralRanks, mcclReduce_reduces_to_the_root) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  run([&](int rank) {
    return mcclReduce(from[rank], rank == 2 ? to[rank] : nullptr, 3, mcclInt, mcclMax, 2,
                      comms_[rank], streams_[rank].get());
  });
  EXPECT_EQ(to.values(), (Rows{{0, 0, 0}, {0, 0, 0}, {100, 200, 300}}));
}

TEST_F(SeveralRanks, mcclReduceScatter_gives_each_rank_its_part) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  run([&](int rank) {
    return mcclReduceScatter(from[rank], to[rank], 1, mcclInt, mcclSum, comms_[rank],
                             streams_[rank].get());
  });
  EXPECT_EQ(to.values(), (Rows{{111, 0, 0}, {222, 0, 0}, {333, 0, 0}}));
}

TEST_F(SeveralRanks, mcclAllGather_gives_all_to_all) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  run([&](int rank) {
    return mcclAllGather(from[rank], to[rank], 1, mcclInt, comms_[rank], streams_[rank].get());
  });
  EXPECT_EQ(to.values(), (Rows{{1, 10, 100}, {1, 10, 100}, {1, 10, 100}}));
}

TEST_F(SeveralRanks, mcclBroadcast_copies_from_the_root) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  run([&](int rank) {
    return mcclBroadcast(rank == 1 ? from[rank] : nullptr, to[rank], 3, mcclInt, 1, comms_[rank],
                         streams_[rank].get());
  });
  EXPECT_EQ(to.values(), (Rows{kInput[1], kInput[1], kInput[1]}));
}

TEST_F(SeveralRanks, mcclBcast_copies_in_place) {
  const Arrays buffers(kInput);
  run([&](int rank) {
    return mcclBcast(buffers[rank], 3, mcclInt, 2, comms_[rank], streams_[rank].get());
  });
  EXPECT_EQ(buffers.values(), (Rows{kInput[2], kInput[2], kInput[2]}));
}

TEST_F(SeveralRanks, mcclAlltoAll_turns_rows_to_columns) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  run([&](int rank) {
    return mcclAlltoAll(from[rank], to[rank], 1, mcclInt, comms_[rank], streams_[rank].get());
  });
  EXPECT_EQ(to.values(), (Rows{{1, 10, 100}, {2, 20, 200}, {3, 30, 300}}));
  // The same in place.
  run([&](int rank) {
    return mcclAlltoAll(to[rank], to[rank], 1, mcclInt, comms_[rank], streams_[rank].get());
  });
  EXPECT_EQ(to.values(), kInput);
}

TEST_F(SeveralRanks, mcclAllToAllv_moves_what_the_tables_say) {
  // Rank r sends counts[r][p] elements to rank p, in ascending order of ranks.
  const std::size_t counts[kRanks][kRanks] = {{1, 0, 2}, {0, 2, 1}, {3, 0, 0}};
  std::size_t places[kRanks][kRanks];
  for (int rank = 0; rank < kRanks; ++rank) {
    std::size_t place = 0;
    for (int peer = 0; peer < kRanks; ++peer) {
      places[rank][peer] = place;
      place += counts[rank][peer];
    }
  }
  const Arrays from(kInput);
  const Arrays to({{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  run([&](int rank) {
    std::size_t receive_counts[kRanks];
    std::size_t receive_places[kRanks];
    std::size_t place = 0;
    for (int peer = 0; peer < kRanks; ++peer) {
      receive_counts[peer] = counts[peer][rank];
      receive_places[peer] = place;
      place += counts[peer][rank];
    }
    return mcclAllToAllv(from[rank], counts[rank], places[0], to[rank], receive_counts,
                         receive_places, mcclInt, comms_[rank], streams_[rank].get());
  });
  EXPECT_EQ(to.values(), (Rows{{1, 100, 200, 300}, {10, 20, 0, 0}, {2, 3, 30, 0}}));
}

TEST_F(SeveralRanks, mcclRedOpCreatePreMulSum_multiplies_each_rank_by_its_scalar) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  mcclRedOp_t operators[kRanks];
  for (int rank = 0; rank < kRanks; ++rank) {
    int scalar = rank + 1;
    EXPECT_EQ(mcclRedOpCreatePreMulSum(&operators[rank], &scalar, mcclInt, mcclScalarHostImmediate,
                                       comms_[rank]),
              mcclSuccess);
  }
  run([&](int rank) {
    return mcclAllReduce(from[rank], to[rank], 3, mcclInt, operators[rank], comms_[rank],
                         streams_[rank].get());
  });
  EXPECT_EQ(to.values(), (Rows{{321, 642, 963}, {321, 642, 963}, {321, 642, 963}}));
}

TEST_F(SeveralRanks, mcclSend_reaches_the_peer_named) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  // Each rank sends to the next, in a circle.
  run([&](int rank) {
    EXPECT_EQ(mcclGroupStart(), mcclSuccess);
    EXPECT_EQ(
        mcclSend(from[rank], 3, mcclInt, (rank + 1) % kRanks, comms_[rank], streams_[rank].get()),
        mcclSuccess);
    EXPECT_EQ(mcclRecv(to[rank], 3, mcclInt, (rank + kRanks - 1) % kRanks, comms_[rank],
                       streams_[rank].get()),
              mcclSuccess);
    return mcclGroupEnd();
  });
  EXPECT_EQ(to.values(), (Rows{kInput[2], kInput[0], kInput[1]}));
}

TEST_F(SeveralRanks, mcclRecv_takes_messages_in_their_order) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(mcclSend(from[0] + i, 1, mcclInt, 1, comms_[0], streams_[0].get()), mcclSuccess);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(mcclRecv(to[1] + 2 - i, 1, mcclInt, 0, comms_[1], streams_[1].get()), mcclSuccess);
  }
  wait();
  EXPECT_EQ(to.values()[1], (Ints{3, 2, 1}));
}

TEST_F(SeveralRanks, mcclGroupStart_lets_one_thread_drive_all_ranks_in_one_stream) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(
        mcclAllReduce(from[rank], to[rank], 3, mcclInt, mcclMin, comms_[rank], streams_[0].get()),
        mcclSuccess);
    // In the same group as the collective.
    EXPECT_EQ(
        mcclSend(from[rank], 1, mcclInt, (rank + 1) % kRanks, comms_[rank], streams_[0].get()),
        mcclSuccess);
  }
  const Arrays one(kZeros);
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(mcclRecv(one[rank], 1, mcclInt, (rank + 2) % kRanks, comms_[rank], streams_[0].get()),
              mcclSuccess);
  }
  EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
  wait();
  EXPECT_EQ(to.values(), (Rows{kInput[0], kInput[0], kInput[0]}));
  EXPECT_EQ(one.values(), (Rows{{100, 0, 0}, {1, 0, 0}, {10, 0, 0}}));
}

TEST_F(SeveralRanks, mcclGroupEnd_starts_transfers_larger_than_any_buffer_in_any_order) {
  constexpr std::size_t kMany = 500000;
  const Arrays from({Ints(kMany, 1), Ints(kMany, 2), Ints(kMany, 3)});
  const Arrays to({Ints(2 * kMany), Ints(2 * kMany), Ints(2 * kMany)});
  run([&](int rank) {
    EXPECT_EQ(mcclGroupStart(), mcclSuccess);
    std::size_t place = 0;
    for (int peer = 0; peer < kRanks; ++peer) {
      if (peer == rank) continue;
      EXPECT_EQ(mcclSend(from[rank], kMany, mcclInt, peer, comms_[rank], streams_[rank].get()),
                mcclSuccess);
      EXPECT_EQ(
          mcclRecv(to[rank] + place, kMany, mcclInt, peer, comms_[rank], streams_[rank].get()),
          mcclSuccess);
      place += kMany;
    }
    return mcclGroupEnd();
  });
  for (int rank = 0; rank < kRanks; ++rank) {
    Ints expected;
    for (int peer = 0; peer < kRanks; ++peer) {
      if (peer != rank) expected.insert(expected.end(), kMany, peer + 1);
    }
    EXPECT_TRUE(to.values()[rank] == expected) << rank;
  }
}

TEST_F(SeveralRanks, KeepTheOrderOfTheirStreams) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  Roadblock block(streams_[1]);
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(mcclAllReduce(from[rank], to[rank], 3, mcclInt, mcclSum, comms_[rank],
                            streams_[rank].get()),
              mcclSuccess);
    // Comes after the collective, which must not see the change.
    EXPECT_EQ(musaMemsetAsync(from[rank], 0, 3 * sizeof(int), streams_[rank].get()), musaSuccess);
  }
  EXPECT_EQ(musaStreamQuery(streams_[0].get()), musaErrorNotReady);
  block.release();
  wait();
  EXPECT_EQ(to.values(), (Rows{{111, 222, 333}, {111, 222, 333}, {111, 222, 333}}));
  EXPECT_EQ(from.values(), kZeros);
}

TEST_F(SeveralRanks, KeepTheOrderOfCallsInDifferentStreams) {
  const Stream others[kRanks];
  const Arrays from(kInput);
  const Arrays first(kZeros);
  const Arrays second(kZeros);
  run([&](int rank) {
    EXPECT_EQ(mcclAllReduce(from[rank], first[rank], 3, mcclInt, mcclSum, comms_[rank],
                            streams_[rank].get()),
              mcclSuccess);
    return mcclAllReduce(from[rank], second[rank], 3, mcclInt, mcclMax, comms_[rank],
                         others[rank].get());
  });
  for (const Stream& stream : others) stream.wait();
  EXPECT_EQ(first.values(), (Rows{{111, 222, 333}, {111, 222, 333}, {111, 222, 333}}));
  EXPECT_EQ(second.values(), (Rows{kInput[2], kInput[2], kInput[2]}));
}

TEST_F(SeveralRanks, RunAgainWithEachLaunchOfAGraph) {
  const Arrays values(kInput);
  musaGraph_t graphs[kRanks];
  musaGraphExec_t executables[kRanks];
  for (int rank = 0; rank < kRanks; ++rank) {
    const musaStream_t stream = streams_[rank].get();
    EXPECT_EQ(musaStreamBeginCapture(stream, musaStreamCaptureModeThreadLocal), musaSuccess);
    EXPECT_EQ(mcclAllReduce(values[rank], values[rank], 3, mcclInt, mcclSum, comms_[rank], stream),
              mcclSuccess);
    EXPECT_EQ(musaStreamEndCapture(stream, &graphs[rank]), musaSuccess);
    EXPECT_EQ(musaGraphInstantiate(&executables[rank], graphs[rank], 0), musaSuccess);
  }
  EXPECT_EQ(values.values(), kInput);
  // A collective that was never launched delays nothing.
  const Arrays plain(kInput);
  run([&](int rank) {
    return mcclBcast(plain[rank], 3, mcclInt, 0, comms_[rank], streams_[rank].get());
  });
  for (int turn = 0; turn < 2; ++turn) {
    for (int rank = 0; rank < kRanks; ++rank) {
      EXPECT_EQ(musaGraphLaunch(executables[rank], streams_[rank].get()), musaSuccess);
    }
  }
  wait();
  EXPECT_EQ(values.values(), (Rows{{333, 666, 999}, {333, 666, 999}, {333, 666, 999}}));
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(musaGraphExecDestroy(executables[rank]), musaSuccess);
    EXPECT_EQ(musaGraphDestroy(graphs[rank]), musaSuccess);
  }
}

TEST_F(SeveralRanks, mcclCommGetAsyncError_tells_all_of_ranks_that_disagree) {
  const Arrays buffers(kInput);
  // Nobody notices before all have called.
  Roadblock block(streams_[1]);
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(mcclAllReduce(buffers[rank], buffers[rank], rank == 1 ? 2 : 3, mcclInt, mcclSum,
                            comms_[rank], streams_[rank].get()),
              mcclSuccess);
  }
  block.release();
  for (const mcclComm_t comm : comms_) EXPECT_EQ(awaited_error(comm), mcclInvalidUsage);
  wait();
  EXPECT_EQ(
      mcclAllReduce(buffers[0], buffers[0], 3, mcclInt, mcclSum, comms_[0], streams_[0].get()),
      mcclInvalidUsage);
}

TEST_F(SeveralRanks, mcclCommAbort_ends_an_operation_that_is_stuck) {
  const Arrays buffers(kInput);
  auto comms = make();
  EXPECT_EQ(mcclRecv(buffers[0], 3, mcclInt, 1, comms[0], streams_[0].get()), mcclSuccess);
  EXPECT_EQ(musaStreamQuery(streams_[0].get()), musaErrorNotReady);
  EXPECT_EQ(mcclCommAbort(comms[0]), mcclSuccess);
  EXPECT_TRUE(are_idle_in_time());
  EXPECT_EQ(buffers.values(), kInput);
  EXPECT_EQ(mcclCommAbort(comms[0]), mcclInvalidArgument);
  for (int rank = 1; rank < kRanks; ++rank) {
    EXPECT_EQ(awaited_error(comms[rank]), mcclRemoteError);
    EXPECT_EQ(mcclCommDestroy(comms[rank]), mcclSuccess);
  }
}

TEST_F(SeveralRanks, mcclCommDestroy_waits_for_pending_work) {
  const Arrays from(kInput);
  const Arrays to(kZeros);
  const auto comms = make();
  Roadblock block(streams_[0]);
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(
        mcclAllReduce(from[rank], to[rank], 3, mcclInt, mcclSum, comms[rank], streams_[rank].get()),
        mcclSuccess);
  }
  std::atomic<int> destroyed{0};
  std::thread destroying([&] {
    for (const mcclComm_t comm : comms) {
      EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
      ++destroyed;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(destroyed, 0);
  block.release();
  destroying.join();
  EXPECT_EQ(to.values(), (Rows{{111, 222, 333}, {111, 222, 333}, {111, 222, 333}}));
  for (const mcclComm_t comm : comms) EXPECT_EQ(mcclCommDestroy(comm), mcclInvalidArgument);
}

// A graph that may run later is no pending work.
TEST_F(SeveralRanks, mcclCommDestroy_does_not_wait_for_graphs) {
  const Arrays values(kInput);
  const auto comms = make();
  musaGraph_t graph = nullptr;
  const musaStream_t stream = streams_[0].get();
  EXPECT_EQ(musaStreamBeginCapture(stream, musaStreamCaptureModeThreadLocal), musaSuccess);
  EXPECT_EQ(mcclAllReduce(values[0], values[0], 3, mcclInt, mcclSum, comms[0], stream),
            mcclSuccess);
  EXPECT_EQ(musaStreamEndCapture(stream, &graph), musaSuccess);
  for (const mcclComm_t comm : comms) EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
  EXPECT_EQ(musaGraphDestroy(graph), musaSuccess);
}

TEST_F(SeveralRanks, RefuseWrongArguments) {
  const Arrays buffers(kInput);
  int* const data = buffers[0];
  const musaStream_t stream = streams_[0].get();
  for (const int wrong : {-1, kRanks}) {
    EXPECT_EQ(mcclBcast(data, 3, mcclInt, wrong, comms_[0], stream), mcclInvalidArgument);
    EXPECT_EQ(mcclReduce(data, data, 3, mcclInt, mcclSum, wrong, comms_[0], stream),
              mcclInvalidArgument);
    EXPECT_EQ(mcclSend(data, 3, mcclInt, wrong, comms_[0], stream), mcclInvalidArgument);
    EXPECT_EQ(mcclRecv(data, 3, mcclInt, wrong, comms_[0], stream), mcclInvalidArgument);
  }
  EXPECT_EQ(mcclAlltoAll(data, nullptr, 1, mcclInt, comms_[0], stream), mcclInvalidArgument);
  EXPECT_EQ(mcclAllGather(data, data, SIZE_MAX / 16, mcclInt8, comms_[0], stream),
            mcclInvalidArgument);
  // Enough for the elements of one rank, but not of all.
  const Island island;
  char* const bytes = island.data();
  constexpr std::size_t kTooMany = Island::kBytes / kRanks + 1;
  EXPECT_EQ(mcclAllGather(bytes, bytes, kTooMany, mcclInt8, comms_[0], stream),
            mcclInvalidArgument);
  EXPECT_EQ(mcclReduceScatter(bytes, bytes, kTooMany, mcclInt8, mcclSum, comms_[0], stream),
            mcclInvalidArgument);
  EXPECT_EQ(mcclAlltoAll(bytes, bytes, kTooMany, mcclInt8, comms_[0], stream), mcclInvalidArgument);
  const std::size_t numbers[kRanks * kRanks] = {};
  EXPECT_EQ(
      mcclAllToAllv(data, nullptr, numbers, data, numbers, numbers, mcclInt, comms_[0], stream),
      mcclInvalidArgument);
  EXPECT_EQ(async_error(comms_[0]), mcclSuccess);
}

}  // namespace
