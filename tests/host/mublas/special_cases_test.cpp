// Cases that random arguments do not reach: matrices of more than 2^31 elements, overlapping
// arguments, NaN and infinity, and captures.
#include <sys/mman.h>

#include <limits>
#include <vector>

#include "tests/host/mublas/with_handle.h"

namespace {

using host_tests::DeviceArray;

class MublasSpecialCases : public host_tests::WithHandle {
 protected:
  const float one_ = 1, zero_ = 0;
};

// Three columns, 2^30 elements apart. Only their first elements are used.
class HugeMatrix {
 public:
  HugeMatrix() {
    void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) data_ = static_cast<float*>(memory);
  }
  ~HugeMatrix() {
    if (data_ != nullptr) munmap(data_, kBytes);
  }
  HugeMatrix(const HugeMatrix&) = delete;
  HugeMatrix& operator=(const HugeMatrix&) = delete;

  static constexpr mublas_int kLd = 1 << 30;
  float* data() const { return data_; }
  float& at(int i, int j) const { return data_[i + std::size_t{kLd} * j]; }

 private:
  static constexpr std::size_t kBytes = sizeof(float) * 3 * kLd;
  float* data_ = nullptr;
};

TEST_F(MublasSpecialCases, OffsetsBeyondIntAreReached) {
  const HugeMatrix a, c;
  ASSERT_NE(a.data(), nullptr);
  ASSERT_NE(c.data(), nullptr);
  for (int j = 0; j < 3; ++j) a.at(0, j) = static_cast<float>(j + 1);
  for (int j = 0; j < 3; ++j) a.at(1, j) = static_cast<float>(j + 4);
  const std::vector<float> ones = {1, 1, 1};
  std::vector<float> y = {0, 0};
  EXPECT_EQ(mublasSgemv(handle_, MUBLAS_OP_N, 2, 3, &one_, a.data(), HugeMatrix::kLd, ones.data(),
                        1, &zero_, y.data(), 1),
            MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSgeam(handle_, MUBLAS_OP_N, MUBLAS_OP_N, 2, 3, &one_, a.data(), HugeMatrix::kLd,
                        &zero_, nullptr, 2, c.data(), HugeMatrix::kLd),
            MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSdgmm(handle_, MUBLAS_SIDE_LEFT, 2, 3, c.data(), HugeMatrix::kLd, ones.data(), 1,
                        c.data(), HugeMatrix::kLd),
            MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasStrmm(handle_, MUBLAS_SIDE_LEFT, MUBLAS_FILL_MODE_UPPER, MUBLAS_OP_N,
                        MUBLAS_DIAG_UNIT, 1, 3, &one_, ones.data(), 1, a.data(), HugeMatrix::kLd,
                        c.data() + 1, HugeMatrix::kLd),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(y, (std::vector<float>{6, 15}));
  EXPECT_EQ(c.at(0, 2), 3);
  EXPECT_EQ(c.at(1, 2), 3);
  // Also the elements of a vector, from both ends.
  std::vector<float> picked = {0, 0, 0};
  EXPECT_EQ(mublasScopy(handle_, 3, a.data(), -HugeMatrix::kLd, picked.data(), 1),
            MUBLAS_STATUS_SUCCESS);
  mublas_int best = 0;
  EXPECT_EQ(mublasIsamax(handle_, 3, a.data(), HugeMatrix::kLd, &best), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(picked, (std::vector<float>{3, 2, 1}));
  EXPECT_EQ(best, 3);
}

TEST_F(MublasSpecialCases, OverlapThatCannotWorkIsRefused) {
  float a[16] = {}, b[16] = {};
  // In place is refused with a transposition or another leading dimension.
  EXPECT_EQ(mublasSgeam(handle_, MUBLAS_OP_T, MUBLAS_OP_N, 2, 2, &one_, a, 2, &one_, b, 2, a, 2),
            MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasSgeam(handle_, MUBLAS_OP_N, MUBLAS_OP_C, 2, 2, &one_, a, 2, &one_, b, 2, b, 2),
            MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasSgeam(handle_, MUBLAS_OP_N, MUBLAS_OP_N, 2, 2, &one_, a, 2, &one_, b, 2, a, 3),
            MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasSdgmm(handle_, MUBLAS_SIDE_LEFT, 2, 2, a, 2, b, 1, a, 3),
            MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasStrmm(handle_, MUBLAS_SIDE_LEFT, MUBLAS_FILL_MODE_UPPER, MUBLAS_OP_N,
                        MUBLAS_DIAG_UNIT, 2, 2, &one_, a, 2, b, 2, b, 3),
            MUBLAS_STATUS_INVALID_VALUE);
}

// A symmetric update of complex matrices cannot conjugate, and a Hermitian update must.
TEST_F(MublasSpecialCases, RankUpdatesOfComplexMatricesTakeOneKindOfTransposition) {
  muComplex memory[16] = {}, one = {1, 0};
  const auto call = [&](auto function, auto* scalar, mublasOperation_t trans) {
    return function(handle_, MUBLAS_FILL_MODE_UPPER, trans, 2, 2, scalar, memory, 2, scalar, memory,
                    2);
  };
  EXPECT_EQ(call(mublasCsyrk, &one, MUBLAS_OP_C), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(mublasCherk, &one_, MUBLAS_OP_T), MUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(MublasSpecialCases, NanAndInfinityReachTheResult) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {1, nan, 3}, y = {1, infinity, 1}, ones = {1, 1, 1};
  float result = 0;
  EXPECT_EQ(mublasSdot(handle_, 3, x.data(), 1, ones.data(), 1, &result), MUBLAS_STATUS_SUCCESS);
  EXPECT_NE(result, result);
  EXPECT_EQ(mublasSasum(handle_, 3, x.data(), 1, &result), MUBLAS_STATUS_SUCCESS);
  EXPECT_NE(result, result);
  EXPECT_EQ(mublasSdot(handle_, 3, y.data(), 1, ones.data(), 1, &result), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, infinity);
  float c = 0;
  EXPECT_EQ(mublasSgemm(handle_, MUBLAS_OP_N, MUBLAS_OP_N, 1, 1, 3, &one_, x.data(), 1, ones.data(),
                        3, &zero_, &c, 1),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_NE(c, c);
}

// Like BLAS, keeps the first of several numbers that cannot be compared.
TEST_F(MublasSpecialCases, TheLargestIsFoundBesideNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {1, nan, -3, 3};
  mublas_int best = 0;
  EXPECT_EQ(mublasIsamax(handle_, 4, x.data(), 1, &best), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(best, 3);
  EXPECT_EQ(mublasIsamin(handle_, 4, x.data(), 1, &best), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(best, 1);
}

// The square of the length exceeds the range of the type.
TEST_F(MublasSpecialCases, Nrm2DoesNotOverflow) {
  const std::vector<float> x = {3e30F, 4e30F};
  float norm = 0;
  EXPECT_EQ(mublasSnrm2(handle_, 2, x.data(), 1, &norm), MUBLAS_STATUS_SUCCESS);
  EXPECT_FLOAT_EQ(norm, 5e30F);
}

}  // namespace
