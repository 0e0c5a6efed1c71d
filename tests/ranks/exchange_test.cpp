// Collectives made of sends and receives, and the rest of what an old MCCL lacks.
#include <climits>
#include <cstdint>
#include <cstring>

#include "tests/ranks/team.h"

namespace {

using ranks::as_team;

constexpr int kRanks = 4;

// What rank `from` sends to rank `to`, in any type.
template <typename Number>
Number gift(int from, int to, std::size_t i) {
  return static_cast<Number>(from * 31 + to * 7 + static_cast<int>(i));
}

template <typename Number>
void all_to_all(ncclDataType_t type) {
  constexpr std::size_t kCount = 5;
  as_team(kRanks, [type](int rank, ncclComm_t all) {
    std::vector<Number> given, taken(kRanks * kCount, static_cast<Number>(99));
    for (int to = 0; to < kRanks; ++to) {
      for (std::size_t i = 0; i < kCount; ++i) given.push_back(gift<Number>(rank, to, i));
    }
    ASSERT_EQ(ncclSuccess, ncclAlltoAll(given.data(), taken.data(), kCount, type, all, nullptr));
    for (int from = 0; from < kRanks; ++from) {
      for (std::size_t i = 0; i < kCount; ++i) {
        EXPECT_EQ(gift<Number>(from, rank, i), taken[static_cast<std::size_t>(from) * kCount + i]);
      }
    }
  });
}

TEST(Exchange, ncclAlltoAll_of_every_size_of_number) {
  all_to_all<std::int8_t>(ncclInt8);
  all_to_all<std::uint8_t>(ncclFloat8e4m3);
  all_to_all<std::uint8_t>(ncclFloat8e5m2);
  all_to_all<std::uint16_t>(ncclFloat16);
  all_to_all<std::uint16_t>(ncclBfloat16);
  all_to_all<float>(ncclFloat32);
  all_to_all<std::uint32_t>(ncclUint32);
  all_to_all<double>(ncclFloat64);
  all_to_all<std::int64_t>(ncclInt64);
}

TEST(Exchange, ncclGather_collects_at_the_root_alone) {
  for (int root = 0; root < kRanks; ++root) {
    as_team(kRanks, [root](int rank, ncclComm_t all) {
      const int given[] = {rank, rank * 10};
      std::vector<int> taken(2 * kRanks, -1);
      // Ranks other than the root need no memory for the result.
      ASSERT_EQ(ncclSuccess, ncclGather(given, rank == root ? taken.data() : nullptr, 2, ncclInt32,
                                        root, all, nullptr));
      if (rank != root) return;
      for (int from = 0; from < kRanks; ++from) {
        EXPECT_EQ(from, taken[static_cast<std::size_t>(from) * 2]);
        EXPECT_EQ(from * 10, taken[static_cast<std::size_t>(from) * 2 + 1]);
      }
    });
  }
}

TEST(Exchange, ncclScatter_gives_from_the_root_alone) {
  for (int root = 0; root < kRanks; ++root) {
    as_team(kRanks, [root](int rank, ncclComm_t all) {
      std::vector<std::int64_t> given;
      for (int to = 0; to < kRanks; ++to) given.insert(given.end(), {to + 100, to + 200});
      std::int64_t taken[2] = {-1, -1};
      ASSERT_EQ(ncclSuccess, ncclScatter(rank == root ? given.data() : nullptr, taken, 2, ncclInt64,
                                         root, all, nullptr));
      EXPECT_EQ(rank + 100, taken[0]);
      EXPECT_EQ(rank + 200, taken[1]);
    });
  }
}

TEST(Exchange, bad_arguments_move_nothing) {
  as_team(1, [](int, ncclComm_t all) {
    char from[8] = {1}, to[8] = {2};
    const auto no_type = static_cast<ncclDataType_t>(12);
    EXPECT_EQ(ncclInvalidArgument, ncclAlltoAll(from, to, 1, ncclInt8, nullptr, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclAlltoAll(from, to, 1, no_type, all, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclAlltoAll(nullptr, to, 1, ncclInt8, all, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclAlltoAll(from, nullptr, 1, ncclInt8, all, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclAlltoAll(from, to, SIZE_MAX / 2, ncclFloat64, all, nullptr));
    EXPECT_EQ(ncclSuccess, ncclAlltoAll(nullptr, nullptr, 0, ncclInt8, all, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclGather(from, to, 1, ncclInt8, 1, all, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclGather(from, nullptr, 1, ncclInt8, 0, all, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclScatter(from, to, 1, ncclInt8, -1, all, nullptr));
    EXPECT_EQ(ncclInvalidArgument, ncclScatter(nullptr, to, 1, ncclInt8, 0, all, nullptr));
    EXPECT_EQ(2, to[0]);
    EXPECT_EQ(ncclSuccess, ncclAlltoAll(from, to, 8, ncclInt8, all, nullptr));
    EXPECT_EQ(0, std::memcmp(from, to, sizeof from));
  });
}

TEST(OldMccl, ncclCommInitRankScalable_starts_by_the_first_identifier) {
  ncclUniqueId ids[2] = {};
  ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&ids[0]));
  ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&ids[1]));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank) {
    threads.emplace_back([&, rank] {
      ncclComm_t all = nullptr;
      ASSERT_EQ(ncclSuccess, ncclCommInitRankScalable(&all, 2, rank, 2, ids, nullptr));
      EXPECT_EQ(rank, ranks::rank_of(all));
      EXPECT_EQ(ncclSuccess, ncclCommDestroy(all));
    });
  }
  for (std::thread& thread : threads) thread.join();
  ncclComm_t all = nullptr;
  EXPECT_EQ(ncclInvalidArgument, ncclCommInitRankScalable(&all, 1, 0, 0, ids, nullptr));
  EXPECT_EQ(ncclInvalidArgument, ncclCommInitRankScalable(&all, 1, 0, 2, ids, nullptr));
  EXPECT_EQ(ncclInvalidArgument, ncclCommInitRankScalable(&all, 1, 0, 1, nullptr, nullptr));
  EXPECT_EQ(nullptr, all);
}

TEST(OldMccl, ncclMemAlloc_and_registration) {
  as_team(1, [](int, ncclComm_t all) {
    void* memory = nullptr;
    EXPECT_EQ(ncclSuccess, ncclMemAlloc(&memory, 100));
    std::memset(memory, 1, 100);
    auto* handle = static_cast<void*>(&all);
    EXPECT_EQ(ncclSuccess, ncclCommRegister(all, memory, 100, &handle));
    EXPECT_EQ(nullptr, handle);
    EXPECT_EQ(ncclSuccess, ncclCommDeregister(all, handle));
    EXPECT_EQ(ncclInvalidUsage, ncclCommDeregister(all, memory));
    EXPECT_EQ(ncclInvalidArgument, ncclCommRegister(nullptr, memory, 100, &handle));
    EXPECT_EQ(ncclInvalidArgument, ncclCommRegister(all, memory, 100, nullptr));
    EXPECT_EQ(ncclSuccess, ncclMemFree(memory));
    EXPECT_EQ(ncclSuccess, ncclMemFree(nullptr));
    old_musart_fail_next_malloc();
    memory = &all;
    EXPECT_EQ(ncclUnhandledCudaError, ncclMemAlloc(&memory, 100));
    EXPECT_EQ(static_cast<void*>(&all), memory);
    EXPECT_EQ(ncclUnhandledCudaError, ncclMemAlloc(nullptr, 100));
  });
}

}  // namespace
