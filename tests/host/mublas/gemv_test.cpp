#include <limits>
#include <vector>

#include "tests/host/mublas/with_handle.h"

namespace {

using host_tests::DeviceArray;

class MublasGemv : public host_tests::WithHandle {};

// [1 3 5; 2 4 6], stored by columns with one spare row.
const std::vector<float> kMatrix = {1, 2, -9, 3, 4, -9, 5, 6, -9};

TEST_F(MublasGemv, MultipliesFloats) {
  const DeviceArray<float> a(kMatrix), x({1, 10, 100}), y({7, 8});
  const float alpha = 2, beta = -1;
  EXPECT_EQ(
      mublasSgemv(handle_, MUBLAS_OP_N, 2, 3, &alpha, a.data(), 3, x.data(), 1, &beta, y.data(), 1),
      MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(y.values(), (std::vector<float>{2 * 531 - 7, 2 * 642 - 8}));
}

TEST_F(MublasGemv, MultipliesTransposedDoublesWithIncrements) {
  const DeviceArray<double> a({1, 2, -9, 3, 4, -9, 5, 6, -9}), x({10, 0, 1}), y({1, 0, 1, 0, 1});
  const double alpha = 1, beta = 3;
  for (const auto trans : {MUBLAS_OP_T, MUBLAS_OP_C}) {
    EXPECT_EQ(
        mublasDgemv(handle_, trans, 2, 3, &alpha, a.data(), 3, x.data(), -2, &beta, y.data(), 2),
        MUBLAS_STATUS_SUCCESS);
  }
  stream_.wait();
  // x is read backwards: (1, 10). The second call adds to three times the first.
  EXPECT_EQ(y.values(),
            (std::vector<double>{(21 + 3) * 3 + 21, 0, (43 + 3) * 3 + 43, 0, (65 + 3) * 3 + 65}));
}

TEST_F(MublasGemv, WithBetaZeroIgnoresWhatWasInY) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const DeviceArray<float> a(kMatrix), x({1, 1, 1}), y({nan, nan});
  const float alpha = 1, beta = 0;
  EXPECT_EQ(
      mublasSgemv(handle_, MUBLAS_OP_N, 2, 3, &alpha, a.data(), 3, x.data(), 1, &beta, y.data(), 1),
      MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(y.values(), (std::vector<float>{9, 12}));
}

TEST_F(MublasGemv, TakesDeviceScalars) {
  scalars_on_device();
  const DeviceArray<float> a(kMatrix), x({1, 1, 1}), y({1, 1}), scalars({2, 1});
  EXPECT_EQ(mublasSgemv(handle_, MUBLAS_OP_N, 2, 3, scalars.data(), a.data(), 3, x.data(), 1,
                        scalars.data() + 1, y.data(), 1),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(y.values(), (std::vector<float>{19, 25}));
}

}  // namespace
