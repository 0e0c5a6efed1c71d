// cuBLASLt algorithms: found, queried, configured, checked and used. They lie in the program's
// memory, with guard bytes behind them.
#include "tests/conformance/cublasLt_fixture.h"

namespace {

struct Guarded {
  cublasLtMatmulHeuristicResult_t results[4];
  std::uint64_t behind = 0x1234567890abcdef;
  void expect_intact() const { EXPECT_EQ(0x1234567890abcdef, behind); }
};

class LightAlgorithms : public testing::TestWithParam<LightHandle::Kind> {
 protected:
  cublasStatus_t search(const Description& description, int requested, Guarded* guarded,
                        int* found) const {
    return cublasLtMatmulAlgoGetHeuristic(handle_, description, layout_, layout_, layout_, layout_,
                                          preference_, requested, guarded->results, found);
  }
  // The algorithm with this number for products of floats.
  cublasStatus_t init(int id, cublasLtMatmulAlgo_t* algorithm) const {
    return cublasLtMatmulAlgoInit(handle_, CUBLAS_COMPUTE_32F, kFloat32, kFloat32, kFloat32,
                                  kFloat32, kFloat32, id, algorithm);
  }
  LightHandle handle_{GetParam()};
  Description description_;
  Layout layout_{kFloat32, 2, 2, 2};
  Preference preference_;
};

TEST_P(LightAlgorithms, cublasLtMatmulAlgoGetHeuristic_gives_one_or_more) {
  for (const int requested : {1, 4, 1, 4}) {
    Guarded guarded{};
    int found = -1;
    ASSERT_LIGHT_OK(search(description_, requested, &guarded, &found));
    ASSERT_GE(found, 1);
    ASSERT_LE(found, requested);
    for (int i = 0; i < found; ++i) {
      EXPECT_EQ(CUBLAS_STATUS_SUCCESS, guarded.results[i].state);
      EXPECT_EQ(0U, guarded.results[i].workspaceSize);
    }
    guarded.expect_intact();
  }
}

TEST_P(LightAlgorithms, cublasLtMatmulAlgoGetHeuristic_leaves_results_alone_when_it_fails) {
  Guarded guarded{};
  std::memset(guarded.results, 0x77, sizeof guarded.results);
  const Guarded before = guarded;
  int found = 17;
  EXPECT_CUBLASLT(INVALID_VALUE, search(description_, 0, &guarded, &found));
  EXPECT_CUBLASLT(INVALID_VALUE, search(description_, -1, &guarded, &found));
  const Description impossible(CUBLAS_COMPUTE_32I, kInt32);  // does not fit layouts of floats
  EXPECT_CUBLASLT(INTERNAL_ERROR, search(impossible, 1, &guarded, &found));
  EXPECT_EQ(17, found);
  EXPECT_EQ(0, std::memcmp(before.results, guarded.results, sizeof guarded.results));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoGetHeuristic(handle_, description_, layout_, layout_, layout_,
                                                 layout_, nullptr, 1, guarded.results, &found));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoGetHeuristic(handle_, description_, layout_, layout_, layout_,
                                                 layout_, preference_, 1, nullptr, &found));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatmulAlgoGetHeuristic(
                                     handle_, description_, layout_, layout_, layout_, layout_,
                                     preference_, 1, guarded.results, nullptr));
}

TEST_P(LightAlgorithms, cublasLtMatmulAlgoGetIds_names_what_cublasLtMatmulAlgoInit_takes) {
  int ids[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  int found = 0;
  ASSERT_LIGHT_OK(cublasLtMatmulAlgoGetIds(handle_, CUBLAS_COMPUTE_32F, kFloat32, kFloat32,
                                           kFloat32, kFloat32, kFloat32, 8, ids, &found));
  ASSERT_GE(found, 1);
  struct {
    cublasLtMatmulAlgo_t algorithm;
    std::uint64_t behind = 42;
  } guarded{};
  ASSERT_LIGHT_OK(init(ids[0], &guarded.algorithm));
  EXPECT_EQ(42U, guarded.behind);
  cublasLtMatmulHeuristicResult_t result{};
  EXPECT_CUBLASLT(SUCCESS, cublasLtMatmulAlgoCheck(handle_, description_, layout_, layout_, layout_,
                                                   layout_, &guarded.algorithm, &result));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, result.state);
  EXPECT_EQ(0U, result.workspaceSize);
  const Buffer memory(16);
  const float zero = 0;
  EXPECT_CUBLASLT(SUCCESS, cublasLtMatmul(handle_, description_, &zero, memory, layout_, memory,
                                          layout_, &zero, memory, layout_, memory, layout_,
                                          &guarded.algorithm, nullptr, 0, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
}

TEST_P(LightAlgorithms, cublasLtMatmulAlgoInit_refuses_what_is_none) {
  cublasLtMatmulAlgo_t algorithm{};
  EXPECT_CUBLASLT(INTERNAL_ERROR, init(12345, &algorithm));
  EXPECT_CUBLASLT(INVALID_VALUE, init(0, nullptr));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoInit(handle_, static_cast<cublasComputeType_t>(1), kFloat32,
                                         kFloat32, kFloat32, kFloat32, kFloat32, 0, &algorithm));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoInit(handle_, CUBLAS_COMPUTE_32F, DataType{999}, kFloat32,
                                         kFloat32, kFloat32, kFloat32, 0, &algorithm));
  int id = 0;
  int found = 17;
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoGetIds(handle_, CUBLAS_COMPUTE_32F, kFloat32, kFloat32,
                                           kFloat32, kFloat32, kFloat32, 0, &id, &found));
  EXPECT_EQ(0, found);
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoGetIds(handle_, CUBLAS_COMPUTE_32F, kFloat32, kFloat32,
                                           kFloat32, kFloat32, kFloat32, 1, nullptr, &found));
}

TEST_P(LightAlgorithms, cublasLtMatmulAlgoCheck_refuses_what_is_no_algorithm) {
  cublasLtMatmulAlgo_t none{};
  cublasLtMatmulHeuristicResult_t result{};
  EXPECT_CUBLASLT(INTERNAL_ERROR, cublasLtMatmulAlgoCheck(handle_, description_, layout_, layout_,
                                                          layout_, layout_, &none, &result));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatmulAlgoCheck(handle_, description_, layout_, layout_,
                                                         layout_, layout_, nullptr, &result));
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatmulAlgoCheck(handle_, description_, layout_, layout_,
                                                         layout_, layout_, &none, nullptr));
}

TEST_P(LightAlgorithms, cublasLtMatmulAlgoConfigSetAttribute_is_read_back) {
  cublasLtMatmulAlgo_t algorithm{};
  ASSERT_LIGHT_OK(init(0, &algorithm));
  std::uint32_t value = 1;
  size_t written = 0;
  EXPECT_CUBLASLT(SUCCESS, cublasLtMatmulAlgoConfigSetAttribute(
                               &algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &value, sizeof value));
  value = 99;
  EXPECT_CUBLASLT(SUCCESS,
                  cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                                                       &value, sizeof value, &written));
  EXPECT_EQ(1U, value);
  EXPECT_EQ(4U, written);
  EXPECT_CUBLASLT(INVALID_VALUE, cublasLtMatmulAlgoConfigSetAttribute(
                                     &algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &value, 2));
  EXPECT_CUBLASLT(
      INVALID_VALUE,
      cublasLtMatmulAlgoConfigSetAttribute(
          &algorithm, static_cast<cublasLtMatmulAlgoConfigAttributes_t>(50), &value, 4));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoConfigGetAttribute(nullptr, CUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                                                       &value, 4, &written));
  // No public source shows a cluster shape in MUSA.
  std::uint16_t shape = 0;
  EXPECT_CUBLASLT(SUCCESS,
                  cublasLtMatmulAlgoConfigSetAttribute(
                      &algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, &shape, sizeof shape));
  shape = 3;
  EXPECT_CUBLASLT(NOT_SUPPORTED,
                  cublasLtMatmulAlgoConfigSetAttribute(
                      &algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, &shape, sizeof shape));
}

TEST_P(LightAlgorithms, cublasLtMatmulAlgoCapGetAttribute_tells_what_it_can) {
  cublasLtMatmulAlgo_t algorithm{};
  ASSERT_LIGHT_OK(init(0, &algorithm));
  int batches = 0;
  size_t written = 0;
  EXPECT_CUBLASLT(SUCCESS, cublasLtMatmulAlgoCapGetAttribute(
                               &algorithm, CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, &batches,
                               sizeof batches, &written));
  EXPECT_EQ(1, batches);
  EXPECT_EQ(4U, written);
  EXPECT_CUBLASLT(SUCCESS, cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_TILE_IDS,
                                                             nullptr, 0, &written));
  EXPECT_EQ(4U, written);
  std::vector<std::uint32_t> tiles(16, 77);
  EXPECT_CUBLASLT(SUCCESS,
                  cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_TILE_IDS,
                                                    tiles.data(), tiles.size() * 4, &written));
  EXPECT_EQ(0U, tiles[0]);
  EXPECT_EQ(77U, tiles[1]);
  std::uint64_t flags = 5;
  EXPECT_CUBLASLT(NOT_SUPPORTED, cublasLtMatmulAlgoCapGetAttribute(
                                     &algorithm, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, &flags,
                                     sizeof flags, &written));
  EXPECT_EQ(5U, flags);
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoCapGetAttribute(
                      &algorithm, CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, &batches, 2, &written));
  EXPECT_CUBLASLT(INVALID_VALUE,
                  cublasLtMatmulAlgoCapGetAttribute(
                      nullptr, CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, &batches, 4, &written));
#if CUDA_MAJOR == 12
  int emulation = 7;
  EXPECT_CUBLASLT(SUCCESS, cublasLtMatmulAlgoCapGetAttribute(
                               &algorithm, CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT,
                               &emulation, sizeof emulation, &written));
  EXPECT_EQ(0, emulation);
#endif
}

std::string kind_of(const testing::TestParamInfo<LightHandle::Kind>& tested) {
  return tested.param == LightHandle::kOfLt ? "with_a_Lt_handle" : "with_a_cuBLAS_handle";
}

INSTANTIATE_TEST_SUITE_P(Kinds, LightAlgorithms,
                         testing::Values(LightHandle::kOfLt, LightHandle::kOfCublas), kind_of);

}  // namespace
