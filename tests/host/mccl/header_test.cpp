// Values that a program compiled against a real MCCL contains.
#include <gtest/gtest.h>
#include <mccl.h>

extern "C" mcclConfig_t default_config_in_c(void);

namespace {

static_assert(sizeof(mcclUniqueId) == 128);
static_assert(MCCL_VERSION_CODE == 22809);
static_assert(mcclInt8 == 0 && mcclUint8 == 1 && mcclInt32 == 2 && mcclUint32 == 3);
static_assert(mcclInt64 == 4 && mcclUint64 == 5 && mcclFloat16 == 6 && mcclFloat32 == 7);
static_assert(mcclFloat64 == 8 && mcclBfloat16 == 9);
static_assert(mcclSum == 0 && mcclProd == 1 && mcclMax == 2 && mcclMin == 3 && mcclAvg == 4);
static_assert(mcclSuccess == 0 && mcclRemoteError == 6 && mcclInProgress == 7);

TEST(MCCLHeader, ConfigStartsUndefined) {
  const mcclConfig_t config = default_config_in_c();
  EXPECT_EQ(config.size, sizeof(mcclConfig_t));
  EXPECT_EQ(config.version, 22809U);
  EXPECT_EQ(config.netName, nullptr);
  EXPECT_EQ(config.commName, nullptr);
  for (const int field :
       {config.blocking, config.cgaClusterSize, config.minCTAs, config.maxCTAs, config.splitShare,
        config.trafficClass, config.collnetEnable, config.CTAPolicy, config.shrinkShare,
        config.nvlsCTAs, config.nChannelsPerNetPeer, config.nvlinkCentricSched}) {
    EXPECT_EQ(field, MCCL_CONFIG_UNDEF_INT);
  }
}

}  // namespace
