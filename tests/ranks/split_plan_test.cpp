// Which part of a split communicator a rank joins.
#include "stubs/nccl/split_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace {

using torchada::nccl::SplitPlan;
using torchada::nccl::SplitWish;

// The same result by sorting, as the documentation describes it.
std::tuple<int, int, int> by_sorting(const std::vector<SplitWish>& wishes, int own) {
  std::vector<int> part;
  for (int rank = 0; rank < static_cast<int>(wishes.size()); ++rank) {
    if (wishes[static_cast<std::size_t>(rank)].color ==
        wishes[static_cast<std::size_t>(own)].color) {
      part.push_back(rank);
    }
  }
  std::stable_sort(part.begin(), part.end(), [&](int a, int b) {
    return wishes[static_cast<std::size_t>(a)].key < wishes[static_cast<std::size_t>(b)].key;
  });
  const auto at = std::find(part.begin(), part.end(), own);
  return {static_cast<int>(part.size()), static_cast<int>(at - part.begin()), part.front()};
}

TEST(SplitPlan, equals_a_stable_sort_by_key) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const int ranks = 1 + static_cast<int>(random() % 17);
    std::vector<SplitWish> wishes;
    for (int rank = 0; rank < ranks; ++rank) {
      wishes.push_back({static_cast<int>(random() % 3), static_cast<int>(random() % 5) - 2});
    }
    for (int own = 0; own < ranks; ++own) {
      SplitPlan plan(wishes[static_cast<std::size_t>(own)], own);
      for (int rank = 0; rank < ranks; ++rank)
        plan.add(rank, wishes[static_cast<std::size_t>(rank)]);
      ASSERT_EQ(by_sorting(wishes, own), std::make_tuple(plan.size(), plan.rank(), plan.root()));
    }
  }
}

TEST(SplitPlan, keys_may_be_any_number) {
  SplitPlan plan({0, 2147483647}, 1);
  plan.add(0, {0, -2147483647 - 1});
  plan.add(1, {0, 2147483647});
  plan.add(2, {0, 0});
  EXPECT_EQ(3, plan.size());
  EXPECT_EQ(2, plan.rank());
  EXPECT_EQ(0, plan.root());
}

}  // namespace
