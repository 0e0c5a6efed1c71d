// Communicators with blocking = 0 exist at once and become ready later.
#include <gtest/gtest.h>
#include <mccl.h>

#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include "tests/host/shared/device.h"

namespace {

using host_tests::DeviceArray;

mcclUniqueId new_id() {
  mcclUniqueId id{};
  EXPECT_EQ(mcclGetUniqueId(&id), mcclSuccess);
  return id;
}

mcclConfig_t not_blocking() {
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  return config;
}

mcclResult_t begin(mcclComm_t& comm, int ranks, const mcclUniqueId& id, int rank) {
  mcclConfig_t config = not_blocking();
  return mcclCommInitRankConfig(&comm, ranks, id, rank, &config);
}

mcclResult_t state(mcclComm_t comm) {
  mcclResult_t error = mcclInternalError;
  EXPECT_EQ(mcclCommGetAsyncError(comm, &error), mcclSuccess);
  return error;
}

// The state after mcclInProgress. Waits at most ten seconds.
mcclResult_t outcome(mcclComm_t comm) {
  for (int tries = 0; tries < 10000 && state(comm) == mcclInProgress; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return state(comm);
}

void expect_sum(const std::vector<mcclComm_t>& comms) {
  const std::vector<int> ones(comms.size(), 1);
  const DeviceArray<int> values(ones);
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  for (std::size_t rank = 0; rank < comms.size(); ++rank) {
    int* const value = values.data() + rank;
    EXPECT_EQ(mcclAllReduce(value, value, 1, mcclInt, mcclSum, comms[rank], nullptr), mcclSuccess);
  }
  EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
  EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
  const auto ranks = static_cast<int>(comms.size());
  EXPECT_EQ(values.values(), std::vector<int>(comms.size(), ranks));
}

TEST(NonBlocking, mcclCommInitRankConfig_does_not_wait_for_other_ranks) {
  const mcclUniqueId id = new_id();
  std::vector<mcclComm_t> comms(2);
  EXPECT_EQ(begin(comms[0], 2, id, 0), mcclInProgress);
  ASSERT_NE(comms[0], nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(state(comms[0]), mcclInProgress);
  EXPECT_EQ(begin(comms[1], 2, id, 1), mcclInProgress);
  for (const mcclComm_t comm : comms) EXPECT_EQ(outcome(comm), mcclSuccess);
  expect_sum(comms);
  for (const mcclComm_t comm : comms) EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

TEST(NonBlocking, BlockingAndOtherRanksMeet) {
  const mcclUniqueId id = new_id();
  std::vector<mcclComm_t> comms(2);
  EXPECT_EQ(begin(comms[1], 2, id, 1), mcclInProgress);
  EXPECT_EQ(mcclCommInitRank(&comms[0], 2, id, 0), mcclSuccess);
  EXPECT_EQ(outcome(comms[1]), mcclSuccess);
  for (const mcclComm_t comm : comms) EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

TEST(NonBlocking, NothingElseIsDoneBeforeItIsReady) {
  mcclComm_t comm = nullptr;
  EXPECT_EQ(begin(comm, 2, new_id(), 0), mcclInProgress);
  const DeviceArray<int> value({1});
  int number = -1;
  EXPECT_EQ(mcclAllReduce(value.data(), value.data(), 1, mcclInt, mcclSum, comm, nullptr),
            mcclInvalidArgument);
  EXPECT_EQ(mcclSend(value.data(), 1, mcclInt, 1, comm, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommCount(comm, &number), mcclInvalidArgument);
  EXPECT_EQ(mcclCommUserRank(comm, &number), mcclInvalidArgument);
  EXPECT_EQ(mcclCommDestroy(comm), mcclInvalidArgument);
  EXPECT_EQ(number, -1);
  EXPECT_EQ(state(comm), mcclInProgress);
  EXPECT_EQ(mcclCommAbort(comm), mcclSuccess);
}

TEST(NonBlocking, mcclCommAbort_ends_the_waiting_of_all) {
  const mcclUniqueId id = new_id();
  mcclComm_t aborted = nullptr;
  mcclComm_t other = nullptr;
  EXPECT_EQ(begin(aborted, 3, id, 0), mcclInProgress);
  EXPECT_EQ(begin(other, 3, id, 1), mcclInProgress);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(mcclCommAbort(aborted), mcclSuccess);
  mcclResult_t error = mcclSuccess;
  EXPECT_EQ(mcclCommGetAsyncError(aborted, &error), mcclInvalidArgument);
  EXPECT_EQ(mcclCommAbort(aborted), mcclInvalidArgument);
  EXPECT_EQ(outcome(other), mcclRemoteError);
  EXPECT_EQ(mcclCommDestroy(other), mcclSuccess);
  // A late rank is refused.
  mcclComm_t late = nullptr;
  EXPECT_EQ(mcclCommInitRank(&late, 3, id, 2), mcclInvalidUsage);
}

// The abort comes at various moments, also when all ranks are almost ready.
TEST(NonBlocking, EndsWhateverTheMomentOfAnAbort) {
  for (int turn = 0; turn < 60; ++turn) {
    const mcclUniqueId id = new_id();
    mcclComm_t comms[2] = {};
    EXPECT_EQ(begin(comms[0], 2, id, 0), mcclInProgress);
    EXPECT_EQ(begin(comms[1], 2, id, 1), mcclInProgress);
    std::this_thread::sleep_for(std::chrono::microseconds(turn * 20));
    EXPECT_EQ(mcclCommAbort(comms[0]), mcclSuccess);
    // The other rank learns of it during the meeting or later.
    mcclResult_t found = outcome(comms[1]);
    for (int tries = 0; tries < 10000 && found == mcclSuccess; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      found = state(comms[1]);
    }
    ASSERT_TRUE(found == mcclRemoteError || found == mcclInvalidUsage) << turn << ": " << found;
    EXPECT_EQ(mcclCommAbort(comms[1]), mcclSuccess);
  }
}

TEST(NonBlocking, mcclCommGetAsyncError_tells_what_went_wrong) {
  const mcclUniqueId id = new_id();
  mcclComm_t first = nullptr;
  EXPECT_EQ(mcclCommInitRank(&first, 1, id, 0), mcclSuccess);
  mcclComm_t again = nullptr;
  EXPECT_EQ(begin(again, 1, id, 0), mcclInProgress);
  EXPECT_EQ(outcome(again), mcclInvalidUsage);
  const DeviceArray<int> value({1});
  EXPECT_EQ(mcclAllReduce(value.data(), value.data(), 1, mcclInt, mcclSum, again, nullptr),
            mcclInvalidUsage);
  EXPECT_EQ(mcclCommDestroy(again), mcclSuccess);
  // Errors visible at once are reported at once.
  mcclComm_t none = nullptr;
  EXPECT_EQ(begin(none, 1, mcclUniqueId{}, 0), mcclInvalidArgument);
  EXPECT_EQ(begin(none, 1, id, 1), mcclInvalidArgument);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(mcclCommDestroy(first), mcclSuccess);
}

TEST(NonBlocking, mcclGroupEnd_is_in_progress_with_them) {
  const mcclUniqueId id = new_id();
  std::vector<mcclComm_t> comms(3);
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(begin(comms[rank], 3, id, rank), mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclInProgress);
  for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(state(comms[rank]), mcclInProgress);
  EXPECT_EQ(mcclCommInitRank(&comms[2], 3, id, 2), mcclSuccess);
  for (const mcclComm_t comm : comms) EXPECT_EQ(outcome(comm), mcclSuccess);
  expect_sum(comms);
  for (const mcclComm_t comm : comms) EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

// Fields beyond the given size do not count.
TEST(NonBlocking, mcclCommInitRankConfig_reads_a_shorter_configuration) {
  mcclConfig_t config = not_blocking();
  config.cgaClusterSize = config.minCTAs = -7;
  config.size = offsetof(mcclConfig_t, cgaClusterSize);
  config.version = MCCL_VERSION(2, 14, 0);
  mcclComm_t comm = nullptr;
  EXPECT_EQ(mcclCommInitRankConfig(&comm, 1, new_id(), 0, &config), mcclInProgress);
  EXPECT_EQ(outcome(comm), mcclSuccess);
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
  config.size = offsetof(mcclConfig_t, blocking);
  EXPECT_EQ(mcclCommInitRankConfig(&comm, 1, new_id(), 0, &config), mcclSuccess);
  EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

}  // namespace
