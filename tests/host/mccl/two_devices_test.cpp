// Runs with two devices: the environment of this test sets that.
#include <gtest/gtest.h>
#include <mccl.h>

#include "tests/host/shared/device.h"

namespace {

using host_tests::DeviceArray;

class TwoDevices : public testing::Test {
 protected:
  // Uses the default streams, which differ for each device.
  static void all_reduce(const mcclComm_t* comms) {
    int* values[2];
    for (int device = 0; device < 2; ++device) {
      ASSERT_EQ(musaSetDevice(device), musaSuccess);
      ASSERT_EQ(musaMalloc(reinterpret_cast<void**>(&values[device]), sizeof(int)), musaSuccess);
      const int value = 10 + device;
      ASSERT_EQ(musaMemcpy(values[device], &value, sizeof value, musaMemcpyHostToDevice),
                musaSuccess);
    }
    EXPECT_EQ(mcclGroupStart(), mcclSuccess);
    for (int device = 0; device < 2; ++device) {
      EXPECT_EQ(mcclAllReduce(values[device], values[device], 1, mcclInt, mcclSum, comms[device],
                              nullptr),
                mcclSuccess);
    }
    EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
    for (int device = 0; device < 2; ++device) {
      EXPECT_EQ(musaSetDevice(device), musaSuccess);
      int value = 0;
      EXPECT_EQ(musaMemcpy(&value, values[device], sizeof value, musaMemcpyDeviceToHost),
                musaSuccess);
      EXPECT_EQ(value, 21);
      EXPECT_EQ(musaFree(values[device]), musaSuccess);
    }
  }

  static void expect_places(const mcclComm_t* comms, int first_device) {
    for (int rank = 0; rank < 2; ++rank) {
      int value = -1;
      EXPECT_EQ(mcclCommMuDevice(comms[rank], &value), mcclSuccess);
      EXPECT_EQ(value, rank == 0 ? first_device : 1 - first_device);
      EXPECT_EQ(mcclCommUserRank(comms[rank], &value), mcclSuccess);
      EXPECT_EQ(value, rank);
    }
  }
};

TEST_F(TwoDevices, mcclCommInitAll_makes_a_rank_on_each) {
  mcclComm_t comms[2] = {};
  ASSERT_EQ(mcclCommInitAll(comms, 2, nullptr), mcclSuccess);
  expect_places(comms, 0);
  all_reduce(comms);
  for (const mcclComm_t comm : comms) EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
  const int turned[] = {1, 0};
  ASSERT_EQ(mcclCommInitAll(comms, 2, turned), mcclSuccess);
  expect_places(comms, 1);
  for (const mcclComm_t comm : comms) EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

TEST_F(TwoDevices, mcclGroupEnd_makes_the_ranks_of_a_group_together) {
  mcclUniqueId id;
  ASSERT_EQ(mcclGetUniqueId(&id), mcclSuccess);
  mcclComm_t comms[2] = {};
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  for (int device = 0; device < 2; ++device) {
    EXPECT_EQ(musaSetDevice(device), musaSuccess);
    EXPECT_EQ(mcclCommInitRank(&comms[device], 2, id, device), mcclSuccess);
  }
  ASSERT_EQ(mcclGroupEnd(), mcclSuccess);
  expect_places(comms, 0);
  all_reduce(comms);
  for (const mcclComm_t comm : comms) EXPECT_EQ(mcclCommDestroy(comm), mcclSuccess);
}

}  // namespace
