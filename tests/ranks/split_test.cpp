// ncclCommSplit with several ranks, on an MCCL without such a function.
#include <climits>

#include "tests/ranks/team.h"

extern "C" void old_mccl_fail_next_unique_id();

namespace {

using ranks::as_team;
using ranks::rank_of;
using ranks::size_of;

constexpr int kNoColor = -1;

TEST(Split, parts_have_the_ranks_of_their_color_in_the_order_of_keys) {
  as_team(5, [](int rank, ncclComm_t all) {
    // Colors 0 1 0 1 0, keys in reverse order of the ranks.
    ncclComm_t part = nullptr;
    ASSERT_EQ(ncclSuccess, ncclCommSplit(all, rank % 2, -rank, &part, nullptr));
    EXPECT_EQ(rank % 2 == 0 ? 3 : 2, size_of(part));
    const int expected[] = {2, 1, 1, 0, 0};
    EXPECT_EQ(expected[rank], rank_of(part));
    int device = -1;
    EXPECT_EQ(ncclSuccess, ncclCommCuDevice(part, &device));
    EXPECT_EQ(rank, device);
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
  });
}

TEST(Split, equal_keys_keep_the_order_of_ranks) {
  as_team(4, [](int rank, ncclComm_t all) {
    ncclComm_t part = nullptr;
    ASSERT_EQ(ncclSuccess, ncclCommSplit(all, 7, 3, &part, nullptr));
    EXPECT_EQ(4, size_of(part));
    EXPECT_EQ(rank, rank_of(part));
    // A part can be split like any other communicator.
    ncclComm_t half = nullptr;
    ASSERT_EQ(ncclSuccess, ncclCommSplit(part, rank / 2, 0, &half, nullptr));
    EXPECT_EQ(2, size_of(half));
    EXPECT_EQ(rank % 2, rank_of(half));
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(half));
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
  });
}

TEST(Split, without_a_color_there_is_no_part) {
  as_team(3, [](int rank, ncclComm_t all) {
    auto part = reinterpret_cast<ncclComm_t>(&rank);
    ASSERT_EQ(ncclSuccess, ncclCommSplit(all, rank == 1 ? kNoColor : 0, 0, &part, nullptr));
    if (rank == 1) {
      EXPECT_EQ(nullptr, part);
      return;
    }
    EXPECT_EQ(2, size_of(part));
    EXPECT_EQ(rank / 2, rank_of(part));
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
  });
}

// More ranks than are read at once.
TEST(Split, of_many_ranks) {
  const auto many = [](int rank, ncclComm_t all) {
    ncclComm_t part = nullptr;
    ASSERT_EQ(ncclSuccess, ncclCommSplit(all, rank < 3 ? 1 : 0, 0, &part, nullptr));
    EXPECT_EQ(rank < 3 ? 3 : 147, size_of(part));
    EXPECT_EQ(rank < 3 ? rank : rank - 3, rank_of(part));
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
  };
  ncclUniqueId id{};
  ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&id));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 150; ++rank) {
    threads.emplace_back([&, rank] {
      ncclComm_t all = nullptr;
      ASSERT_EQ(ncclSuccess, ncclCommInitRank(&all, 150, id, rank));
      many(rank, all);
      EXPECT_EQ(ncclSuccess, ncclCommDestroy(all));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Ranks that cannot be invited get an error and do not wait forever; the other part is not
// affected.
TEST(Split, a_part_without_an_identifier_fails_on_all_its_ranks) {
  as_team(4, [](int rank, ncclComm_t all) {
    if (rank == 0) old_mccl_fail_next_unique_id();
    ncclComm_t part = nullptr;
    const ncclResult_t status = ncclCommSplit(all, rank / 2, 0, &part, nullptr);
    const ncclResult_t expected[] = {ncclSystemError, ncclRemoteError, ncclSuccess, ncclSuccess};
    EXPECT_EQ(expected[rank], status);
    EXPECT_EQ(rank < 2, part == nullptr);
    if (part != nullptr) {
      EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
    }
  });
}

TEST(Split, without_memory_fails) {
  as_team(1, [](int, ncclComm_t all) {
    ncclComm_t part = nullptr;
    old_musart_fail_next_malloc();
    EXPECT_EQ(ncclUnhandledCudaError, ncclCommSplit(all, 0, 0, &part, nullptr));
    EXPECT_EQ(nullptr, part);
  });
}

TEST(Split, within_a_group_is_refused) {
  as_team(1, [](int, ncclComm_t all) {
    ncclComm_t part = nullptr;
    EXPECT_EQ(ncclSuccess, ncclGroupStart());
    EXPECT_EQ(ncclSuccess, ncclGroupStart());
    EXPECT_EQ(ncclSuccess, ncclGroupEnd());
    EXPECT_EQ(ncclInvalidUsage, ncclCommSplit(all, 0, 0, &part, nullptr));
    EXPECT_EQ(ncclSuccess, ncclGroupEnd());
    EXPECT_EQ(ncclInvalidUsage, ncclGroupEnd());
    EXPECT_EQ(ncclSuccess, ncclCommSplit(all, 0, 0, &part, nullptr));
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
  });
}

TEST(Split, bad_arguments) {
  as_team(1, [](int, ncclComm_t all) {
    ncclComm_t part = nullptr;
    EXPECT_EQ(ncclInvalidArgument, ncclCommSplit(nullptr, 0, 0, &part, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclCommSplit(all, 0, 0, nullptr, nullptr));
    ncclConfig_t config{};
    EXPECT_EQ(ncclInvalidArgument, ncclCommSplit(all, 0, 0, &part, &config));
    EXPECT_EQ(nullptr, part);
  });
}

}  // namespace
