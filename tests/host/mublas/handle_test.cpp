#include <cstring>
#include <set>
#include <string>

#include "with_handle.h"

namespace {

class MublasHandle : public host_tests::WithHandle {};

TEST_F(MublasHandle, StartsWithTheDefaults) {
  mublasHandle_t fresh = nullptr;
  ASSERT_EQ(mublasCreate(&fresh), MUBLAS_STATUS_SUCCESS);
  musaStream_t stream = stream_.get();
  EXPECT_EQ(mublasGetStream(fresh, &stream), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(stream, nullptr);
  auto pointers = MUBLAS_POINTER_MODE_DEVICE;
  EXPECT_EQ(mublasGetPointerMode(fresh, &pointers), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(pointers, MUBLAS_POINTER_MODE_HOST);
  auto atomics = MUBLAS_ATOMICS_ALLOWED;
  EXPECT_EQ(mublasGetAtomicsMode(fresh, &atomics), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(atomics, MUBLAS_ATOMICS_NOT_ALLOWED);
  auto math = MUBLAS_TENSOR_OP_MATH;
  EXPECT_EQ(mublasGetMathMode(fresh, &math), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(math, MUBLAS_DEFAULT_MATH);
  EXPECT_EQ(mublasDestroy(fresh), MUBLAS_STATUS_SUCCESS);
}

TEST_F(MublasHandle, RemembersWhatIsSet) {
  musaStream_t stream = nullptr;
  EXPECT_EQ(mublasGetStream(handle_, &stream), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(stream, stream_.get());
  scalars_on_device();
  auto pointers = MUBLAS_POINTER_MODE_HOST;
  EXPECT_EQ(mublasGetPointerMode(handle_, &pointers), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(pointers, MUBLAS_POINTER_MODE_DEVICE);
  EXPECT_EQ(mublasSetAtomicsMode(handle_, MUBLAS_ATOMICS_ALLOWED), MUBLAS_STATUS_SUCCESS);
  auto atomics = MUBLAS_ATOMICS_NOT_ALLOWED;
  EXPECT_EQ(mublasGetAtomicsMode(handle_, &atomics), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(atomics, MUBLAS_ATOMICS_ALLOWED);
  EXPECT_EQ(mublasSetMathMode(handle_, MUBLAS_TENSOR_OP_MATH), MUBLAS_STATUS_SUCCESS);
  auto math = MUBLAS_DEFAULT_MATH;
  EXPECT_EQ(mublasGetMathMode(handle_, &math), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(math, MUBLAS_TENSOR_OP_MATH);
}

TEST_F(MublasHandle, KnowsItsVersion) {
  int version = 0;
  EXPECT_EQ(mublasGetVersion(handle_, &version), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(version, 11006);
}

TEST_F(MublasHandle, RefusesUnknownModesAndNullResults) {
  EXPECT_EQ(mublasSetPointerMode(handle_, static_cast<mublasPointerMode_t>(2)),
            MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasSetAtomicsMode(handle_, static_cast<mublasAtomicsMode_t>(-1)),
            MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasSetMathMode(handle_, static_cast<mublasMath_t>(99)), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(mublasGetStream(handle_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasGetPointerMode(handle_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasGetAtomicsMode(handle_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasGetMathMode(handle_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(mublasGetVersion(handle_, nullptr), MUBLAS_STATUS_INVALID_POINTER);
}

TEST_F(MublasHandle, ForeignAndDestroyedHandlesAreErrors) {
  mublasHandle_t dead = nullptr;
  ASSERT_EQ(mublasCreate(&dead), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasDestroy(dead), MUBLAS_STATUS_SUCCESS);
  int not_a_handle = 0;
  const auto foreign = reinterpret_cast<mublasHandle_t>(&not_a_handle);
  for (const mublasHandle_t handle : {mublasHandle_t{nullptr}, dead, foreign}) {
    int version = 0;
    float number = 1;
    EXPECT_EQ(mublasDestroy(handle), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(mublasSetStream(handle, nullptr), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(mublasGetVersion(handle, &version), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(mublasSscal(handle, 1, &number, &number, 1), MUBLAS_STATUS_INVALID_HANDLE);
    EXPECT_EQ(mublasSdot(handle, 1, &number, 1, &number, 1, &number), MUBLAS_STATUS_INVALID_HANDLE);
  }
  EXPECT_EQ(mublasCreate(nullptr), MUBLAS_STATUS_INVALID_HANDLE);
}

TEST(MublasStatusString, NamesEveryStatus) {
  std::set<std::string> texts;
  for (int status = 0; status <= MUBLAS_STATUS_CHECK_NUMERICS_FAIL; ++status) {
    texts.insert(mublasGetStatusString(static_cast<mublasStatus_t>(status)));
  }
  EXPECT_EQ(texts.size(), 14U);
  EXPECT_STREQ(mublasGetStatusString(MUBLAS_STATUS_INVALID_SIZE), "MUBLAS_STATUS_INVALID_SIZE");
  EXPECT_NE(mublasGetStatusString(static_cast<mublasStatus_t>(-5)), nullptr);
}

}  // namespace
