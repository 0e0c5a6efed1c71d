#pragma once

#include <gtest/gtest.h>
#include <mccl.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "tests/host/shared/device.h"

namespace host_tests {

// Ranks in one process. Each has a stream and is made by its own thread, as programs do it.
class SeveralRanks : public testing::Test {
 protected:
  static constexpr int kRanks = 3;

  void SetUp() override { comms_ = make(); }
  void TearDown() override {
    wait();
    for (const mcclComm_t comm : comms_) EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
  }

  static std::vector<mcclComm_t> make() {
    mcclUniqueId id;
    EXPECT_EQ(mcclGetUniqueId(&id), mcclSuccess);
    std::vector<mcclComm_t> comms(kRanks);
    on_each([&](int rank) {
      EXPECT_EQ(mcclCommInitRank(&comms[rank], kRanks, id, rank), mcclSuccess);
    });
    return comms;
  }

  static void on_each(const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < kRanks; ++rank) threads.emplace_back(work, rank);
    for (std::thread& thread : threads) thread.join();
  }

  // Calls `work` for each rank and waits for all streams.
  void run(const std::function<mcclResult_t(int)>& work) {
    for (int rank = 0; rank < kRanks; ++rank) EXPECT_EQ(work(rank), mcclSuccess) << rank;
    wait();
    for (const mcclComm_t comm : comms_) EXPECT_EQ(async_error(comm), mcclSuccess);
  }

  // Waits until all streams are empty. If that takes too long, aborts the ranks, so that the test
  // fails instead of hanging.
  void wait() {
    if (are_idle_in_time()) return;
    ADD_FAILURE() << "operations are stuck";
    for (mcclComm_t& comm : comms_) mcclCommAbort(comm);
    comms_ = make();
  }

  bool are_idle_in_time() const {
    for (int tries = 0; tries < 5000; ++tries) {
      bool busy = false;
      for (const Stream& stream : streams_) {
        busy = busy || musaStreamQuery(stream.get()) == musaErrorNotReady;
      }
      if (!busy) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  static mcclResult_t async_error(mcclComm_t comm) {
    mcclResult_t error = mcclInternalError;
    EXPECT_EQ(mcclCommGetAsyncError(comm, &error), mcclSuccess);
    return error;
  }

  // The error that appears within ten seconds.
  static mcclResult_t awaited_error(mcclComm_t comm) {
    for (int tries = 0; tries < 10000 && async_error(comm) == mcclSuccess; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return async_error(comm);
  }

  std::vector<mcclComm_t> comms_;
  Stream streams_[kRanks];
};

}  // namespace host_tests
