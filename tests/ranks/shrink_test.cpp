// ncclCommShrink with several ranks, on an MCCL without such a function.
#include <algorithm>
#include <climits>

#include "tests/ranks/team.h"

extern "C" {
void old_mccl_fail_next_unique_id();
void old_mccl_be_in_progress(int times);
void old_mccl_have_failed(int error);
}

namespace {

using ranks::as_team;
using ranks::rank_of;
using ranks::size_of;

constexpr int kDefault = 0, kAbort = 1;

// Every rank that is not in `leaving` shrinks `all`, and the others do nothing.
void expect_shrunk(int rank, ncclComm_t all, std::vector<int> leaving, int flags) {
  if (std::count(leaving.begin(), leaving.end(), rank) != 0) return;
  const std::vector<int> before = leaving;
  int expected = rank;
  for (const int other : leaving) expected -= other < rank ? 1 : 0;
  ncclComm_t rest = nullptr;
  ASSERT_EQ(ncclSuccess, ncclCommShrink(all, leaving.data(), static_cast<int>(leaving.size()),
                                        &rest, nullptr, flags));
  ASSERT_NE(nullptr, rest);
  EXPECT_EQ(before, leaving);
  EXPECT_EQ(size_of(all) - static_cast<int>(leaving.size()), size_of(rest));
  EXPECT_EQ(expected, rank_of(rest));
  int device = -1;
  EXPECT_EQ(ncclSuccess, ncclCommCuDevice(rest, &device));
  EXPECT_EQ(rank, device);
  EXPECT_EQ(ncclSuccess, ncclCommDestroy(rest));
}

TEST(Shrink, the_ranks_that_stay_keep_their_order) {
  const std::vector<std::vector<int>> lists = {{1},       {0},    {4},         {3, 1},
                                               {0, 1, 2}, {4, 0}, {4, 3, 2, 1}};
  for (const std::vector<int>& leaving : lists) {
    for (const int flags : {kDefault, kAbort}) {
      as_team(5, [&](int rank, ncclComm_t all) { expect_shrunk(rank, all, leaving, flags); });
    }
  }
}

TEST(Shrink, what_is_left_can_be_shrunk_and_split) {
  as_team(4, [](int rank, ncclComm_t all) {
    int leaving[] = {0};
    if (rank == 0) return;
    ncclComm_t rest = nullptr, less = nullptr, part = nullptr;
    ASSERT_EQ(ncclSuccess, ncclCommShrink(all, leaving, 1, &rest, nullptr, kDefault));
    ASSERT_EQ(ncclSuccess, ncclCommSplit(rest, 0, -rank, &part, nullptr));
    EXPECT_EQ(3, size_of(part));
    EXPECT_EQ(3 - rank, rank_of(part));
    if (rank != 1) {
      ASSERT_EQ(ncclSuccess, ncclCommShrink(rest, leaving, 1, &less, nullptr, kDefault));
      EXPECT_EQ(2, size_of(less));
      EXPECT_EQ(rank - 2, rank_of(less));
      EXPECT_EQ(ncclSuccess, ncclCommDestroy(less));
    }
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(rest));
  });
}

// On a communicator that does not block, MCCL may report that an operation is in progress.
TEST(Shrink, waits_for_what_is_in_progress) {
  as_team(3, [](int rank, ncclComm_t all) {
    old_mccl_be_in_progress(2);
    expect_shrunk(rank, all, {1}, kAbort);
    old_mccl_be_in_progress(0);
  });
}

TEST(Shrink, without_an_identifier_fails_on_all_ranks_that_stay) {
  as_team(4, [](int rank, ncclComm_t all) {
    int leaving[] = {0};
    if (rank == 0) return;
    if (rank == 1) old_mccl_fail_next_unique_id();
    auto rest = reinterpret_cast<ncclComm_t>(&rank);
    EXPECT_EQ(rank == 1 ? ncclSystemError : ncclRemoteError,
              ncclCommShrink(all, leaving, 1, &rest, nullptr, kDefault));
    EXPECT_EQ(nullptr, rest);
  });
}

TEST(Shrink, without_memory_fails) {
  as_team(2, [](int rank, ncclComm_t all) {
    int leaving[] = {1};
    if (rank == 1) return;
    ncclComm_t rest = nullptr;
    old_musart_fail_next_malloc();
    EXPECT_EQ(ncclUnhandledCudaError, ncclCommShrink(all, leaving, 1, &rest, nullptr, kDefault));
    EXPECT_EQ(nullptr, rest);
  });
}

// Work that ends is waited for.
TEST(Shrink, with_abort_waits_for_work) {
  as_team(3, [](int rank, ncclComm_t all) {
    old_musart_be_busy(5);
    expect_shrunk(rank, all, {0}, kAbort);
    EXPECT_EQ(rank == 0 ? 5 : 0, old_musart_busy());
    // Without the flag, the call simply waits for its stream.
    old_musart_be_busy(5);
    expect_shrunk(rank, all, {0}, kDefault);
    EXPECT_EQ(5, old_musart_busy());
    old_musart_be_busy(0);
  });
}

TEST(Shrink, with_abort_a_failed_communicator_is_refused) {
  as_team(2, [](int rank, ncclComm_t all) {
    int leaving[] = {1};
    if (rank == 1) return;
    ncclComm_t rest = nullptr;
    old_mccl_have_failed(ncclRemoteError);
    EXPECT_EQ(ncclInvalidUsage, ncclCommShrink(all, leaving, 1, &rest, nullptr, kAbort));
    old_mccl_have_failed(ncclSuccess);
    EXPECT_EQ(nullptr, rest);
    expect_shrunk(rank, all, {1}, kAbort);
  });
}

// Not as a team, because what is stuck is not freed.
TEST(Shrink, with_abort_work_that_does_not_end_is_refused) {
  const int live = old_musart_live();
  ncclUniqueId id{};
  ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&id));
  ncclComm_t both[2] = {};
  std::thread other([&] { EXPECT_EQ(ncclSuccess, ncclCommInitRank(&both[1], 2, id, 1)); });
  ASSERT_EQ(ncclSuccess, ncclCommInitRank(&both[0], 2, id, 0));
  other.join();
  int leaving[] = {1};
  ncclComm_t rest = nullptr;
  old_musart_be_busy(INT_MAX);
  EXPECT_EQ(ncclInvalidUsage, ncclCommShrink(both[0], leaving, 1, &rest, nullptr, kAbort));
  old_musart_be_busy(0);
  EXPECT_EQ(nullptr, rest);
  EXPECT_EQ(live + 2, old_musart_live());
  for (ncclComm_t communicator : both) EXPECT_EQ(ncclSuccess, ncclCommDestroy(communicator));
}

TEST(Shrink, within_a_group_is_refused) {
  as_team(2, [](int rank, ncclComm_t all) {
    int leaving[] = {1};
    if (rank == 1) return;
    ncclComm_t rest = nullptr;
    EXPECT_EQ(ncclSuccess, ncclGroupStart());
    EXPECT_EQ(ncclInvalidUsage, ncclCommShrink(all, leaving, 1, &rest, nullptr, kDefault));
    EXPECT_EQ(ncclSuccess, ncclGroupEnd());
    expect_shrunk(rank, all, {1}, kDefault);
  });
}

TEST(Shrink, bad_arguments) {
  as_team(3, [](int rank, ncclComm_t all) {
    if (rank != 0) return;
    ncclComm_t rest = nullptr;
    const auto shrink = [&](ncclComm_t from, std::vector<int> list, ncclComm_t* made,
                            ncclConfig_t* config) {
      return ncclCommShrink(from, list.data(), static_cast<int>(list.size()), made, config, 0);
    };
    ncclConfig_t config{};
    int one[] = {1};
    EXPECT_EQ(ncclInvalidArgument, shrink(nullptr, {1}, &rest, nullptr));
    EXPECT_EQ(ncclInvalidArgument, shrink(all, {1}, nullptr, nullptr));
    EXPECT_EQ(ncclInvalidArgument, shrink(all, {1}, &rest, &config));
    EXPECT_EQ(ncclInvalidArgument, ncclCommShrink(all, nullptr, 1, &rest, nullptr, 0));
    EXPECT_EQ(ncclInvalidArgument, ncclCommShrink(all, one, 0, &rest, nullptr, 0));
    EXPECT_EQ(ncclInvalidArgument, ncclCommShrink(all, one, -1, &rest, nullptr, 0));
    EXPECT_EQ(ncclInvalidArgument, shrink(all, {0}, &rest, nullptr));  // This rank.
    EXPECT_EQ(ncclInvalidArgument, shrink(all, {1, 0}, &rest, nullptr));
    EXPECT_EQ(ncclInvalidArgument, shrink(all, {1, 3}, &rest, nullptr));
    EXPECT_EQ(ncclInvalidArgument, shrink(all, {-1}, &rest, nullptr));
    EXPECT_EQ(ncclInvalidArgument, shrink(all, {1, 1}, &rest, nullptr));
    EXPECT_EQ(nullptr, rest);
  });
}

}  // namespace
