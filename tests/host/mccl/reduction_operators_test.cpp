#include <gtest/gtest.h>
#include <mccl.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/host/mccl/one_rank.h"
#include "tests/host/shared/device.h"

namespace {

using host_tests::DeviceArray;
using host_tests::Roadblock;
using host_tests::Stream;

class MCCLPreMulSum : public host_tests::OneRank {
 protected:
  template <typename T>
  mcclRedOp_t times(T scalar, mcclDataType_t type) {
    mcclRedOp_t op = mcclSum;
    EXPECT_EQ(mcclRedOpCreatePreMulSum(&op, &scalar, type, mcclScalarHostImmediate, comm_),
              mcclSuccess);
    EXPECT_GE(op, mcclNumOps);
    return op;
  }

  template <typename T>
  std::vector<T> scaled(const std::vector<T>& values, T scalar, mcclDataType_t type) {
    const mcclRedOp_t op = times(scalar, type);
    const DeviceArray<T> from(values);
    const DeviceArray<T> to(std::vector<T>(values.size()));
    EXPECT_EQ(mcclAllReduce(from.data(), to.data(), values.size(), type, op, comm_, stream_.get()),
              mcclSuccess);
    EXPECT_EQ(mcclRedOpDestroy(op, comm_), mcclSuccess);
    stream_.wait();
    return to.values();
  }

  Stream stream_;
};

TEST_F(MCCLPreMulSum, MultipliesNumbersOfTheProcessor) {
  EXPECT_EQ(scaled<float>({1, -2, 3}, 0.5F, mcclFloat32), (std::vector<float>{0.5, -1, 1.5}));
  EXPECT_EQ(scaled<double>({1, -2, 3}, 3.0, mcclFloat64), (std::vector<double>{3, -6, 9}));
  EXPECT_EQ(scaled<std::int8_t>({1, -2, 100}, 3, mcclInt8), (std::vector<std::int8_t>{3, -6, 44}));
  EXPECT_EQ(scaled<std::uint8_t>({1, 200}, 3, mcclUint8), (std::vector<std::uint8_t>{3, 88}));
  EXPECT_EQ(scaled<std::int32_t>({5, -7}, -2, mcclInt32), (std::vector<std::int32_t>{-10, 14}));
  EXPECT_EQ(scaled<std::uint32_t>({5, 1U << 31}, 2, mcclUint32),
            (std::vector<std::uint32_t>{10, 0}));
  EXPECT_EQ(scaled<std::int64_t>({5, -(1LL << 40)}, -2, mcclInt64),
            (std::vector<std::int64_t>{-10, 1LL << 41}));
  EXPECT_EQ(scaled<std::uint64_t>({5, 1ULL << 63}, 2, mcclUint64),
            (std::vector<std::uint64_t>{10, 0}));
}

// In half precision: (1 + 1/1024) squared, times 1.5 (a tie, to even), overflow, and ties below the
// smallest number.
TEST_F(MCCLPreMulSum, RoundsHalfToNearestEven) {
  using Half = std::uint16_t;
  EXPECT_EQ(scaled<Half>({0x3c01, 0xbc01}, 0x3c01, mcclFloat16),
            (std::vector<Half>{0x3c02, 0xbc02}));
  EXPECT_EQ(scaled<Half>({0x3c01}, 0x3e00, mcclFloat16), (std::vector<Half>{0x3e02}));
  EXPECT_EQ(scaled<Half>({0x7bff, 0xfbff}, 0x4000, mcclFloat16),
            (std::vector<Half>{0x7c00, 0xfc00}));
  EXPECT_EQ(scaled<Half>({0x0001, 0x0003, 0x0400}, 0x3800, mcclFloat16),
            (std::vector<Half>{0x0000, 0x0002, 0x0200}));
}

TEST_F(MCCLPreMulSum, RoundsBfloat16ToNearestEven) {
  using Bfloat16 = std::uint16_t;
  EXPECT_EQ(scaled<Bfloat16>({0x3f81, 0xbf81, 0x7f7f, 0x0001}, 0x3fc0, mcclBfloat16),
            (std::vector<Bfloat16>{0x3fc2, 0xbfc2, 0x7f80, 0x0002}));
}

TEST_F(MCCLPreMulSum, KeepsFloat8Finite) {
  using Float8 = std::uint8_t;
  EXPECT_EQ(scaled<Float8>({0x39, 0x7e, 0xfe}, 0x3c, mcclFp8E4M3),
            (std::vector<Float8>{0x3e, 0x7e, 0xfe}));
  EXPECT_EQ(scaled<Float8>({0x3d, 0x7b, 0xfb}, 0x3e, mcclFp8E5M2),
            (std::vector<Float8>{0x40, 0x7b, 0xfb}));
}

// Multiplying by one keeps every number, and keeps NaN a NaN.
TEST_F(MCCLPreMulSum, TimesOneKeepsEveryNarrowFloat) {
  std::vector<std::uint16_t> all(65536);
  std::iota(all.begin(), all.end(), 0);
  const auto check = [&](std::uint16_t one, mcclDataType_t type, unsigned infinity) {
    const auto result = scaled(all, one, type);
    for (unsigned bits = 0; bits < all.size(); ++bits) {
      if ((bits & 0x7fff) <= infinity) {
        ASSERT_EQ(result[bits], bits);
      } else {
        ASSERT_GT(result[bits] & 0x7fffU, infinity) << bits;
      }
    }
  };
  check(0x3c00, mcclFloat16, 0x7c00);
  check(0x3f80, mcclBfloat16, 0x7f80);

  std::vector<std::uint8_t> small(256);
  std::iota(small.begin(), small.end(), 0);
  const auto check8 = [&](std::uint8_t one, mcclDataType_t type, unsigned largest) {
    const auto result = scaled(small, one, type);
    for (unsigned bits = 0; bits < small.size(); ++bits) {
      if ((bits & 0x7f) <= largest) {
        ASSERT_EQ(result[bits], bits);
      }
    }
    EXPECT_GT(result[0x7f] & 0x7fU, largest);
  };
  check8(0x38, mcclFp8E4M3, 0x7e);
  check8(0x3c, mcclFp8E5M2, 0x7b);
}

TEST_F(MCCLPreMulSum, ReadsADeviceScalarWhenItRuns) {
  const DeviceArray<float> scalar({2});
  mcclRedOp_t op = mcclSum;
  ASSERT_EQ(mcclRedOpCreatePreMulSum(&op, scalar.data(), mcclFloat32, mcclScalarDevice, comm_),
            mcclSuccess);
  const DeviceArray<float> values({1, 2});
  Roadblock block(stream_);
  EXPECT_EQ(mcclAllReduce(values.data(), values.data(), 2, mcclFloat32, op, comm_, stream_.get()),
            mcclSuccess);
  EXPECT_EQ(mcclRedOpDestroy(op, comm_), mcclSuccess);
  scalar.data()[0] = 10;
  block.release();
  EXPECT_EQ(values.values(), (std::vector<float>{10, 20}));
}

TEST_F(MCCLPreMulSum, BelongsToItsCommunicatorAndType) {
  const mcclRedOp_t op = times(2.0F, mcclFloat32);
  const DeviceArray<float> values({1, 2});
  const auto all_reduce = [&](mcclDataType_t type, mcclComm_t comm) {
    return mcclAllReduce(values.data(), values.data(), 2, type, op, comm, stream_.get());
  };
  const mcclComm_t other = make();
  EXPECT_EQ(all_reduce(mcclInt32, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(mcclFloat32, other), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(op, other), mcclInvalidArgument);
  EXPECT_EQ(mcclCommDestroy(other), mcclSuccess);
  EXPECT_EQ(mcclRedOpDestroy(op, comm_), mcclSuccess);
  EXPECT_EQ(mcclRedOpDestroy(op, comm_), mcclInvalidArgument);
  EXPECT_EQ(all_reduce(mcclFloat32, comm_), mcclInvalidArgument);
}

TEST_F(MCCLPreMulSum, RefusesWrongArguments) {
  mcclRedOp_t op = mcclSum;
  float scalar = 1;
  const auto create = [&](mcclRedOp_t* out, void* from, int type, int residence, mcclComm_t comm) {
    return mcclRedOpCreatePreMulSum(out, from, static_cast<mcclDataType_t>(type),
                                    static_cast<mcclScalarResidence_t>(residence), comm);
  };
  EXPECT_EQ(create(nullptr, &scalar, mcclFloat, 1, comm_), mcclInvalidArgument);
  EXPECT_EQ(create(&op, nullptr, mcclFloat, 1, comm_), mcclInvalidArgument);
  EXPECT_EQ(create(&op, &scalar, mcclNumTypes, 1, comm_), mcclInvalidArgument);
  EXPECT_EQ(create(&op, &scalar, mcclFloat, 2, comm_), mcclInvalidArgument);
  EXPECT_EQ(create(&op, &scalar, mcclFloat, mcclScalarDevice, comm_), mcclInvalidArgument);
  EXPECT_EQ(create(&op, &scalar, mcclFloat, 1, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(mcclSum, comm_), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(mcclSum, nullptr), mcclInvalidArgument);
}

TEST_F(MCCLPreMulSum, mcclRedOpDestroy_ends_an_operator) {
  float scalar = 2;
  mcclRedOp_t op = mcclSum;
  ASSERT_EQ(mcclRedOpCreatePreMulSum(&op, &scalar, mcclFloat, mcclScalarHostImmediate, comm_),
            mcclSuccess);
  EXPECT_EQ(mcclRedOpDestroy(op, comm_), mcclSuccess);
  EXPECT_EQ(mcclRedOpDestroy(op, comm_), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(mcclSum, comm_), mcclInvalidArgument);
}

}  // namespace
