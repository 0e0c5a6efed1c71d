#include "tests/host/mublasLt/with_descriptors.h"

namespace {

using host_tests::Layout;
using host_tests::Matmul;

constexpr auto kOk = MUBLAS_STATUS_SUCCESS;
constexpr auto kInvalid = MUBLAS_STATUS_INVALID_VALUE;

class Algorithms : public host_tests::WithLtHandle {
 protected:
  mublasStatus_t init(int id, mublasLtMatmulAlgo_t* algorithm) {
    return mublasLtMatmulAlgoInit(handle_, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_16F, MUSA_R_16F,
                                  MUSA_R_16F, MUSA_R_16F, id, algorithm);
  }
  Matmul matmul_{MUBLAS_COMPUTE_32F, MUSA_R_32F};
  Layout square_{MUSA_R_16F, 4, 4, 4}, other_{MUSA_R_16F, 5, 4, 5}, real_{MUSA_R_64F, 4, 4, 4};
};

TEST_F(Algorithms, mublasLtMatmulAlgoGetIds_gives_one_that_mublasLtMatmulAlgoInit_takes) {
  int ids[4] = {-1, -1, -1, -1}, count = -1;
  ASSERT_EQ(mublasLtMatmulAlgoGetIds(handle_, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_16F,
                                     MUSA_R_16F, MUSA_R_16F, MUSA_R_16F, 4, ids, &count),
            kOk);
  EXPECT_EQ(count, 1);
  mublasLtMatmulAlgo_t algorithm{};
  EXPECT_EQ(init(ids[0], &algorithm), kOk);
  EXPECT_EQ(init(77, &algorithm), kInvalid);
  EXPECT_EQ(init(ids[0], nullptr), kInvalid);
  EXPECT_EQ(mublasLtMatmulAlgoGetIds(handle_, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_64F,
                                     MUSA_R_16F, MUSA_R_16F, MUSA_R_16F, 4, ids, &count),
            MUBLAS_STATUS_NOT_IMPLEMENTED);
  EXPECT_EQ(mublasLtMatmulAlgoGetIds(nullptr, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_16F,
                                     MUSA_R_16F, MUSA_R_16F, MUSA_R_16F, 4, ids, &count),
            MUBLAS_STATUS_INVALID_HANDLE);
}

TEST_F(Algorithms, mublasLtMatmulAlgoCheck_tells_what_can_run) {
  mublasLtMatmulAlgo_t algorithm{};
  ASSERT_EQ(init(0, &algorithm), kOk);
  mublasLtMatmulHeuristicResult_t result{};
  result.workspaceSize = 1;
  const auto check = [&](const Layout& a, const mublasLtMatmulAlgo_t* with) {
    return mublasLtMatmulAlgoCheck(handle_, matmul_.get(), a.get(), square_.get(), square_.get(),
                                   square_.get(), with, &result);
  };
  EXPECT_EQ(check(square_, &algorithm), kOk);
  EXPECT_EQ(result.workspaceSize, 0U);
  EXPECT_EQ(check(other_, &algorithm), kInvalid);
  EXPECT_EQ(check(real_, &algorithm), MUBLAS_STATUS_NOT_IMPLEMENTED);
  EXPECT_EQ(check(square_, nullptr), kInvalid);
  const mublasLtMatmulAlgo_t foreign{};
  EXPECT_EQ(check(square_, &foreign), kInvalid);
}

TEST_F(Algorithms, mublasLtMatmulAlgoConfigSetAttribute_mublasLtMatmulAlgoConfigGetAttribute_keep) {
  mublasLtMatmulAlgo_t algorithm{};
  ASSERT_EQ(init(0, &algorithm), kOk);
  std::uint32_t value = 1;
  std::size_t written = 0;
  EXPECT_EQ(
      mublasLtMatmulAlgoConfigSetAttribute(&algorithm, MUBLASLT_ALGO_CONFIG_SPLITK_NUM, &value, 4),
      kOk);
  value = 0;
  EXPECT_EQ(mublasLtMatmulAlgoConfigGetAttribute(&algorithm, MUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                                                 &value, 4, &written),
            kOk);
  EXPECT_EQ(value, 1U);
  EXPECT_EQ(written, 4U);
  EXPECT_EQ(mublasLtMatmulAlgoConfigSetAttribute(&algorithm, MUBLASLT_ALGO_CONFIG_ID, &value, 4),
            kInvalid);
  EXPECT_EQ(
      mublasLtMatmulAlgoConfigSetAttribute(&algorithm, MUBLASLT_ALGO_CONFIG_SPLITK_NUM, &value, 2),
      kInvalid);
  EXPECT_EQ(mublasLtMatmulAlgoConfigGetAttribute(&algorithm, MUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                                                 &value, 2, &written),
            kInvalid);
  EXPECT_EQ(
      mublasLtMatmulAlgoConfigGetAttribute(nullptr, MUBLASLT_ALGO_CONFIG_ID, &value, 4, &written),
      kInvalid);
}

TEST_F(Algorithms, mublasLtMatmulAlgoCapGetAttribute_tells_what_there_is) {
  mublasLtMatmulAlgo_t algorithm{};
  ASSERT_EQ(init(0, &algorithm), kOk);
  std::uint32_t value = 7;
  std::size_t written = 0;
  EXPECT_EQ(mublasLtMatmulAlgoCapGetAttribute(&algorithm, MUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT,
                                              &value, 4, &written),
            kOk);
  EXPECT_EQ(value, 1U);
  EXPECT_EQ(mublasLtMatmulAlgoCapGetAttribute(&algorithm, MUBLASLT_ALGO_CAP_TILE_IDS, nullptr, 0,
                                              &written),
            kOk);
  EXPECT_EQ(written, 4U);
  EXPECT_EQ(
      mublasLtMatmulAlgoCapGetAttribute(nullptr, MUBLASLT_ALGO_CAP_TILE_IDS, &value, 4, &written),
      kInvalid);
}

TEST_F(Algorithms, mublasLtMatmulAlgoGetHeuristic_gives_what_mublasLtMatmulAlgoCheck_accepts) {
  mublasLtMatmulPreference_t preference = nullptr;
  ASSERT_EQ(mublasLtMatmulPreferenceCreate(&preference), kOk);
  mublasLtMatmulHeuristicResult_t results[3] = {};
  results[0].state = MUBLAS_STATUS_INTERNAL_ERROR;
  int count = -1;
  const auto ask = [&](const Layout& a, int requested, mublasLtMatmulPreference_t with) {
    return mublasLtMatmulAlgoGetHeuristic(handle_, matmul_.get(), a.get(), square_.get(),
                                          square_.get(), square_.get(), with, requested, results,
                                          &count);
  };
  ASSERT_EQ(ask(square_, 3, preference), kOk);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(results[0].state, kOk);
  mublasLtMatmulHeuristicResult_t result{};
  EXPECT_EQ(mublasLtMatmulAlgoCheck(handle_, matmul_.get(), square_.get(), square_.get(),
                                    square_.get(), square_.get(), &results[0].algo, &result),
            kOk);
  EXPECT_EQ(ask(square_, 0, preference), kInvalid);
  EXPECT_EQ(ask(real_, 3, preference), MUBLAS_STATUS_NOT_IMPLEMENTED);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(mublasLtMatmulPreferenceDestroy(preference), kOk);
  EXPECT_EQ(ask(square_, 3, preference), kInvalid);
}

}  // namespace
