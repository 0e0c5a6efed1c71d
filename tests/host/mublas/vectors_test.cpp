#include <vector>

#include "tests/host/mublas/with_handle.h"

namespace {

using host_tests::DeviceArray;
using host_tests::Roadblock;

class MublasVectors : public host_tests::WithHandle {};

TEST_F(MublasVectors, AxpyAdds) {
  const DeviceArray<float> x({1, 2, 3}), y({10, 20, 30});
  const float alpha = 2;
  EXPECT_EQ(mublasSaxpy(handle_, 3, &alpha, x.data(), 1, y.data(), 1), MUBLAS_STATUS_SUCCESS);
  const DeviceArray<double> u({1, 2, 3}), v({10, 20, 30});
  const double beta = -1;
  EXPECT_EQ(mublasDaxpy(handle_, 3, &beta, u.data(), -1, v.data(), 1), MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(y.values(), (std::vector<float>{12, 24, 36}));
  EXPECT_EQ(v.values(), (std::vector<double>{7, 18, 29}));
}

TEST_F(MublasVectors, ScalScales) {
  const DeviceArray<float> x({1, 2, 3});
  const float alpha = 2;
  EXPECT_EQ(mublasSscal(handle_, 2, &alpha, x.data(), 2), MUBLAS_STATUS_SUCCESS);
  const DeviceArray<double> y({1, 2, 3});
  const double beta = 0;
  EXPECT_EQ(mublasDscal(handle_, 3, &beta, y.data(), 1), MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(x.values(), (std::vector<float>{2, 2, 6}));
  EXPECT_EQ(y.values(), (std::vector<double>{0, 0, 0}));
}

TEST_F(MublasVectors, ResultsForTheHostAreThereOnReturn) {
  const DeviceArray<float> x({3, 4}), y({10, 100});
  float result = -1;
  EXPECT_EQ(mublasSdot(handle_, 2, x.data(), 1, y.data(), 1, &result), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, 430);
  EXPECT_EQ(mublasSnrm2(handle_, 2, x.data(), 1, &result), MUBLAS_STATUS_SUCCESS);
  EXPECT_FLOAT_EQ(result, 5);
  const DeviceArray<double> u({3, 4}), v({10, 100});
  double wide = -1;
  EXPECT_EQ(mublasDdot(handle_, 2, u.data(), -1, v.data(), 1, &wide), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(wide, 340);
  EXPECT_EQ(mublasDnrm2(handle_, 2, u.data(), 1, &wide), MUBLAS_STATUS_SUCCESS);
  EXPECT_DOUBLE_EQ(wide, 5);
}

TEST_F(MublasVectors, ResultsForTheDeviceComeWithTheStream) {
  scalars_on_device();
  const DeviceArray<float> x({3, 4}), results({-1, -1});
  Roadblock block(stream_);
  EXPECT_EQ(mublasSdot(handle_, 2, x.data(), 1, x.data(), 1, results.data()),
            MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSnrm2(handle_, 2, x.data(), 1, results.data() + 1), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(results.data()[0], -1);
  block.release();
  EXPECT_EQ(results.values(), (std::vector<float>{25, 5}));
}

TEST_F(MublasVectors, EmptyOnesChangeNothingAndSumToZero) {
  float number = 7;
  EXPECT_EQ(mublasSaxpy(handle_, 0, nullptr, nullptr, 1, nullptr, 1), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSscal(handle_, -3, nullptr, nullptr, 1), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSscal(handle_, 3, nullptr, nullptr, 0), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSdot(handle_, 0, nullptr, 1, nullptr, 1, &number), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(number, 0);
  number = 7;
  EXPECT_EQ(mublasSnrm2(handle_, 3, nullptr, 0, &number), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(number, 0);
}

}  // namespace
