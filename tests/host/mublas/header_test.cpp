// Values that a program compiled against a real muBLAS contains.
#include <gtest/gtest.h>
#include <mublas.h>

extern "C" mublasOperation_t conjugate_in_c(void);

namespace {

static_assert(MUBLAS_OP_N == 111 && MUBLAS_OP_T == 112 && MUBLAS_OP_C == 113);
static_assert(MUBLAS_FILL_MODE_UPPER == 121 && MUBLAS_FILL_MODE_LOWER == 122);
static_assert(MUBLAS_FILL_MODE_FULL == 123);
static_assert(MUBLAS_DIAG_NON_UNIT == 131 && MUBLAS_DIAG_UNIT == 132);
static_assert(MUBLAS_SIDE_LEFT == 141 && MUBLAS_SIDE_RIGHT == 142 && MUBLAS_SIDE_BOTH == 143);
static_assert(MUBLAS_POINTER_MODE_HOST == 0 && MUBLAS_POINTER_MODE_DEVICE == 1);
static_assert(MUBLAS_STATUS_SUCCESS == 0 && MUBLAS_STATUS_INVALID_HANDLE == 1);
static_assert(MUBLAS_STATUS_INVALID_VALUE == 11 && MUBLAS_STATUS_CHECK_NUMERICS_FAIL == 13);
static_assert(MUBLAS_COMPUTE_16F == 64 && MUBLAS_COMPUTE_32F == 68 && MUBLAS_COMPUTE_64F == 70);
static_assert(MUBLAS_COMPUTE_32I == 72 && MUBLAS_COMPUTE_32F_FAST_TF32 == 77);
static_assert(MUBLAS_GEMM_DEFAULT == 0 && MUBLAS_GEMM_DEFAULT_TENSOR_OP == 1);
static_assert(sizeof(mublas_int) == 4 && sizeof(mublasHandle_t) == sizeof(void*));

TEST(MublasHeader, ServesC) { EXPECT_EQ(conjugate_in_c(), MUBLAS_OP_C); }

}  // namespace
