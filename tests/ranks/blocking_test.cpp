// Communicators that should not block, on an MCCL that does not offer this.
#include <climits>
#include <cstring>

#include "tests/ranks/team.h"

extern "C" {
void old_mccl_be_in_progress(int times);
int old_mccl_in_progress();
int old_mccl_refused_configs();
}

namespace {

using ranks::as_team;
using ranks::size_of;

ncclConfig_t not_blocking() {
  ncclConfig_t config{};
  config.size = sizeof config;
  config.magic = 0xcafebeef;
  config.version = 22105;
  config.cgaClusterSize = config.minCTAs = config.maxCTAs = config.splitShare = INT_MIN;
  config.trafficClass = config.collnetEnable = config.CTAPolicy = config.shrinkShare = INT_MIN;
  config.nvlsCTAs = config.nChannelsPerNetPeer = config.nvlinkCentricSched = INT_MIN;
  return config;
}

void expect_all_made(int team, int expected_refusals, bool grouped) {
  const int before = old_mccl_refused_configs();
  as_team(team, [&](int rank, ncclComm_t all) {
    ncclUniqueId id{};
    ncclComm_t same = nullptr;
    std::memset(&id, 0x5a, sizeof id);  // like the identifiers of this MCCL
    id.internal[0] = grouped ? 'g' : 's';
    ncclConfig_t config = not_blocking();
    EXPECT_EQ(ncclSuccess, grouped ? ncclGroupStart() : ncclSuccess);
    EXPECT_EQ(ncclSuccess, ncclCommInitRankConfig(&same, team, id, rank, &config));
    EXPECT_EQ(ncclSuccess, grouped ? ncclGroupEnd() : ncclSuccess);
    ASSERT_NE(nullptr, same);
    ncclResult_t state = ncclInternalError;
    EXPECT_EQ(ncclSuccess, ncclCommGetAsyncError(same, &state));
    EXPECT_EQ(ncclSuccess, state);
    EXPECT_EQ(size_of(all), size_of(same));
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(same));
  });
  EXPECT_EQ(before + expected_refusals, old_mccl_refused_configs());
}

TEST(NotBlocking, a_refused_configuration_is_done_without) { expect_all_made(3, 3, false); }

// Within a group a refusal would spoil the group.
TEST(NotBlocking, within_a_group_nothing_is_tried) { expect_all_made(1, 0, true); }

// On a communicator that does not block, MCCL may report that an operation is in progress.
TEST(NotBlocking, a_split_waits_for_what_is_in_progress) {
  as_team(2, [](int rank, ncclComm_t all) {
    ncclComm_t part = nullptr;
    old_mccl_be_in_progress(3);
    ASSERT_EQ(ncclSuccess, ncclCommSplit(all, rank, 0, &part, nullptr));
    EXPECT_EQ(0, old_mccl_in_progress());
    EXPECT_EQ(1, size_of(part));
    EXPECT_EQ(ncclSuccess, ncclCommDestroy(part));
  });
}

}  // namespace
