// Several ranks of one communicator, each a thread on its own device.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

#include "cuda12.h"
#include "tests/ranks/old_musart.h"

extern "C" int musaSetDevice(int device);

namespace ranks {

// Runs `work(rank, communicator)` on every rank.
inline void as_team(int count, const std::function<void(int, ncclComm_t)>& work) {
  const int live = old_musart_live();
  ncclUniqueId id{};
  ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&id));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ASSERT_EQ(0, musaSetDevice(rank));
      ncclComm_t communicator = nullptr;
      ASSERT_EQ(ncclSuccess, ncclCommInitRankConfig(&communicator, count, id, rank, nullptr));
      // Adapters make the communicator's device current when they need it.
      ASSERT_EQ(0, musaSetDevice(7));
      work(rank, communicator);
      EXPECT_EQ(7, old_musart_device());
      EXPECT_EQ(ncclSuccess, ncclCommDestroy(communicator));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(live, old_musart_live());
}

inline int rank_of(ncclComm_t communicator) {
  int rank = -1;
  EXPECT_EQ(ncclSuccess, ncclCommUserRank(communicator, &rank));
  return rank;
}

inline int size_of(ncclComm_t communicator) {
  int count = -1;
  EXPECT_EQ(ncclSuccess, ncclCommCount(communicator, &count));
  return count;
}

}  // namespace ranks
