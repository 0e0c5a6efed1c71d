#pragma once

#include <gtest/gtest.h>
#include <mccl.h>

namespace host_tests {

// A communicator of one rank, made as programs make one.
class OneRank : public testing::Test {
 protected:
  void SetUp() override { comm_ = make(); }
  void TearDown() override { EXPECT_EQ(mcclCommDestroy(comm_), mcclSuccess); }

  static mcclComm_t make() {
    mcclUniqueId id;
    EXPECT_EQ(mcclGetUniqueId(&id), mcclSuccess);
    mcclComm_t comm = nullptr;
    EXPECT_EQ(mcclCommInitRank(&comm, 1, id, 0), mcclSuccess);
    return comm;
  }

  mcclComm_t comm_ = nullptr;
};

}  // namespace host_tests
