// Vectors and matrices between host and device.
#include <numeric>
#include <vector>

#include "tests/host/mublas/with_handle.h"

namespace {

using host_tests::DeviceArray;
using host_tests::Roadblock;
using host_tests::Stream;

std::vector<float> counted(std::size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

class MublasTransfers : public testing::Test {
 protected:
  // Tries every wrong integer and pointer of a copy of a vector or matrix. The first integer may be
  // 0.
  template <typename Copy>
  void expect_errors(Copy copy, int sizes, int pitches) {
    std::vector<int> good(sizes, 1);
    good.push_back(4);
    good.insert(good.end(), pitches, 1);
    float memory[4] = {};
    for (std::size_t i = 0; i < good.size(); ++i) {
      auto bad = good;
      bad[i] = -1;
      EXPECT_EQ(copy(bad, memory, memory), MUBLAS_STATUS_INVALID_SIZE) << "integer " << i;
      bad[i] = 0;
      EXPECT_EQ(copy(bad, nullptr, nullptr), i < static_cast<std::size_t>(sizes)
                                                 ? MUBLAS_STATUS_SUCCESS
                                                 : MUBLAS_STATUS_INVALID_SIZE)
          << "integer " << i;
    }
    EXPECT_EQ(copy(good, nullptr, memory), MUBLAS_STATUS_INVALID_POINTER);
    EXPECT_EQ(copy(good, memory, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  }

  Stream stream_;
};

TEST_F(MublasTransfers, mublasSetVectorAsync_copies_in_the_stream) {
  const auto host = counted(7);
  const DeviceArray<float> device(std::vector<float>(10, -1)), dense(std::vector<float>(3, -1));
  Roadblock block(stream_);
  EXPECT_EQ(mublasSetVectorAsync(4, 4, host.data(), 2, device.data(), 3, stream_.get()),
            MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSetVectorAsync(3, 4, host.data(), 1, dense.data(), 1, stream_.get()),
            MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(device.data()[0], -1);
  block.release();
  EXPECT_EQ(device.values(), (std::vector<float>{1, -1, -1, 3, -1, -1, 5, -1, -1, 7}));
  EXPECT_EQ(dense.values(), (std::vector<float>{1, 2, 3}));
}

TEST_F(MublasTransfers, mublasGetVectorAsync_copies_in_the_stream) {
  const DeviceArray<double> device({1, 2, 3, 4, 5});
  std::vector<double> host(9, -1);
  EXPECT_EQ(mublasGetVectorAsync(3, 8, device.data(), 2, host.data(), 4, stream_.get()),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(host, (std::vector<double>{1, -1, -1, -1, 3, -1, -1, -1, 5}));
}

TEST_F(MublasTransfers, mublasSetMatrixAsync_copies_in_the_stream) {
  const auto host = counted(8);  // 2 of 3 rows, 3 columns
  const DeviceArray<float> device(std::vector<float>(10, -1));
  Roadblock block(stream_);
  EXPECT_EQ(mublasSetMatrixAsync(2, 3, 4, host.data(), 3, device.data(), 4, stream_.get()),
            MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(device.data()[0], -1);
  block.release();
  EXPECT_EQ(device.values(), (std::vector<float>{1, 2, -1, -1, 4, 5, -1, -1, 7, 8}));
}

TEST_F(MublasTransfers, mublasGetMatrixAsync_copies_in_the_stream) {
  const DeviceArray<float> device(counted(10));  // 2 of 4 rows, 3 columns
  std::vector<float> host(6, -1);
  EXPECT_EQ(mublasGetMatrixAsync(2, 3, 4, device.data(), 4, host.data(), 2, stream_.get()),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(host, (std::vector<float>{1, 2, 5, 6, 9, 10}));
}

TEST_F(MublasTransfers, WrongVectorsAreRefused) {
  for (const auto function : {mublasSetVectorAsync, mublasGetVectorAsync}) {
    expect_errors(
        [&](const std::vector<int>& integers, const void* from, void* to) {
          return function(integers[0], integers[1], from, integers[2], to, integers[3],
                          stream_.get());
        },
        1, 2);
  }
}

TEST_F(MublasTransfers, WrongMatricesAreRefused) {
  for (const auto function : {mublasSetMatrixAsync, mublasGetMatrixAsync}) {
    expect_errors(
        [&](const std::vector<int>& integers, const void* from, void* to) {
          return function(integers[0], integers[1], integers[2], from, integers[3], to, integers[4],
                          stream_.get());
        },
        2, 2);
    float memory[4] = {};
    EXPECT_EQ(function(2, 1, 4, memory, 1, memory, 2, nullptr), MUBLAS_STATUS_INVALID_SIZE);
    EXPECT_EQ(function(2, 1, 4, memory, 2, memory, 1, nullptr), MUBLAS_STATUS_INVALID_SIZE);
  }
}

}  // namespace
