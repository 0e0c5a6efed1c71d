// Groups, and send and receive, which need a group.
#include <gtest/gtest.h>
#include <mccl.h>

#include <vector>

#include "tests/host/mccl/one_rank.h"
#include "tests/host/shared/device.h"

namespace {

using Ints = std::vector<int>;
using host_tests::DeviceArray;
using host_tests::Roadblock;
using host_tests::Stream;

class MCCLGroup : public host_tests::OneRank {
 protected:
  mcclResult_t send(int count) {
    return mcclSend(from_.data(), count, mcclInt, 0, comm_, stream_.get());
  }
  mcclResult_t receive(int count) {
    return mcclRecv(to_.data(), count, mcclInt, 0, comm_, stream_.get());
  }

  Stream stream_;
  DeviceArray<int> from_{{1, 2, 3}};
  DeviceArray<int> to_{{0, 0, 0}};
};

TEST_F(MCCLGroup, SendMeetsReceiveInEitherOrder) {
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(receive(3), mcclSuccess);
  EXPECT_EQ(send(3), mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
  stream_.wait();
  EXPECT_EQ(to_.values(), (Ints{1, 2, 3}));
}

TEST_F(MCCLGroup, PairsSendsAndReceivesInOrder) {
  int* const from = from_.data();
  int* const to = to_.data();
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(mcclSend(from, 1, mcclInt, 0, comm_, stream_.get()), mcclSuccess);
  EXPECT_EQ(mcclSend(from + 1, 2, mcclInt, 0, comm_, stream_.get()), mcclSuccess);
  EXPECT_EQ(mcclRecv(to + 2, 1, mcclInt, 0, comm_, stream_.get()), mcclSuccess);
  EXPECT_EQ(mcclRecv(to, 2, mcclInt, 0, comm_, stream_.get()), mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
  stream_.wait();
  EXPECT_EQ(to_.values(), (Ints{2, 3, 1}));
}

TEST_F(MCCLGroup, NothingStartsBeforeTheOutermostEnd) {
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(mcclAllReduce(from_.data(), to_.data(), 3, mcclInt, mcclSum, comm_, stream_.get()),
            mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
  stream_.wait();
  EXPECT_EQ(to_.values(), (Ints{0, 0, 0}));
  EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
  stream_.wait();
  EXPECT_EQ(to_.values(), (Ints{1, 2, 3}));
}

TEST_F(MCCLGroup, TransferBetweenStreamsWaitsForBothAndHoldsBoth) {
  Stream receiving;
  Roadblock block(stream_);
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(send(3), mcclSuccess);
  EXPECT_EQ(mcclRecv(to_.data(), 3, mcclInt, 0, comm_, receiving.get()), mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
  EXPECT_EQ(musaStreamQuery(receiving.get()), musaErrorNotReady);
  EXPECT_EQ(to_.data()[0], 0);
  // Comes after the transfer in the sending stream, so it must not affect the received data.
  EXPECT_EQ(musaMemsetAsync(from_.data(), 0, 3 * sizeof(int), stream_.get()), musaSuccess);
  block.release();
  receiving.wait();
  EXPECT_EQ(to_.values(), (Ints{1, 2, 3}));
  EXPECT_EQ(from_.values(), (Ints{0, 0, 0}));
}

TEST_F(MCCLGroup, HalvesWithoutCounterpartAreErrors) {
  EXPECT_EQ(send(3), mcclInvalidUsage);
  EXPECT_EQ(receive(3), mcclInvalidUsage);
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(send(3), mcclSuccess);
  EXPECT_EQ(receive(2), mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidUsage);
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(receive(3), mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidUsage);
}

TEST_F(MCCLGroup, CommunicatorsDoNotMix) {
  const mcclComm_t other = make();
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(send(3), mcclSuccess);
  EXPECT_EQ(mcclRecv(to_.data(), 3, mcclInt, 0, other, stream_.get()), mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidUsage);
  EXPECT_EQ(mcclCommDestroy(other), mcclSuccess);
}

TEST_F(MCCLGroup, OneRefusedCallFailsTheGroupAndStartsNothing) {
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(mcclAllReduce(from_.data(), to_.data(), 3, mcclInt, mcclSum, comm_, stream_.get()),
            mcclSuccess);
  EXPECT_EQ(mcclSend(nullptr, 3, mcclInt, 0, comm_, stream_.get()), mcclInvalidArgument);
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidArgument);
  stream_.wait();
  EXPECT_EQ(to_.values(), (Ints{0, 0, 0}));
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  EXPECT_EQ(mcclGroupEnd(), mcclSuccess);
}

TEST_F(MCCLGroup, RefusesWrongArguments) {
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidUsage);
  EXPECT_EQ(mcclSend(from_.data(), 3, mcclInt, 1, comm_, stream_.get()), mcclInvalidArgument);
  EXPECT_EQ(mcclRecv(to_.data(), 3, mcclInt, -1, comm_, stream_.get()), mcclInvalidArgument);
  EXPECT_EQ(mcclRecv(to_.data(), 3, mcclNumTypes, 0, comm_, stream_.get()), mcclInvalidArgument);
  EXPECT_EQ(mcclRecv(to_.data(), 3, mcclInt, 0, nullptr, stream_.get()), mcclInvalidArgument);
  int plain[3] = {};
  EXPECT_EQ(mcclSend(plain, 3, mcclInt, 0, comm_, stream_.get()), mcclInvalidArgument);
  EXPECT_EQ(mcclRecv(plain, 3, mcclInt, 0, comm_, stream_.get()), mcclInvalidArgument);
}

}  // namespace
