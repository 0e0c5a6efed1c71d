// Without a device, ids and versions still work and a communicator is refused.
#include <gtest/gtest.h>
#include <mccl.h>

namespace {

TEST(MCCLWithoutDevice, GivesIdsButNoCommunicators) {
  int devices = -1;
  ASSERT_TRUE(musaGetDeviceCount(&devices) != musaSuccess || devices == 0);
  mcclUniqueId id;
  EXPECT_EQ(mcclGetUniqueId(&id), mcclSuccess);
  int version = 0;
  EXPECT_EQ(mcclGetVersion(&version), mcclSuccess);
  mcclComm_t comm = nullptr;
  EXPECT_EQ(mcclCommInitRank(&comm, 1, id, 0), mcclUnhandledMusaError);
  EXPECT_EQ(mcclCommInitAll(&comm, 1, nullptr), mcclUnhandledMusaError);
  EXPECT_EQ(comm, nullptr);
}

}  // namespace
