// Memory that are not there: the work does nothing, and the device reports it as after a kernel.
#include <gtest/gtest.h>
#include <mublas.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace {

using Memory = std::array<float*, 3>;

struct Call {
  const char* name;
  int operands;
  std::function<mublasStatus_t(mublasHandle_t, const Memory&)> call;
};

constexpr int kN = 40;
constexpr int kLd = 50;
constexpr std::size_t kBytes = sizeof(float) * kLd * kN;
constexpr auto kNo = MUBLAS_OP_N;
constexpr auto kUpper = MUBLAS_FILL_MODE_UPPER;
constexpr auto kLeft = MUBLAS_SIDE_LEFT;
constexpr auto kUnit = MUBLAS_DIAG_NON_UNIT;
constexpr float kOne = 1;
constexpr float kTwo = 2;

template <typename T>
T* array_of(float* matrix) {
  T* pointers = nullptr;
  EXPECT_EQ(musaMalloc(reinterpret_cast<void**>(&pointers), sizeof(T)), musaSuccess);
  EXPECT_EQ(musaMemcpy(pointers, &matrix, sizeof(T), musaMemcpyHostToDevice), musaSuccess);
  return pointers;
}

const std::vector<Call>& calls() {
  static const std::vector<Call> all{
      {"axpy", 2,
       [](auto h, const auto& p) { return mublasSaxpy(h, kN, &kTwo, p[0], 25, p[1], 25); }},
      {"copy", 2, [](auto h, const auto& p) { return mublasScopy(h, kN, p[0], -25, p[1], 25); }},
      {"scal", 1, [](auto h, const auto& p) { return mublasSscal(h, kN, &kTwo, p[0], 25); }},
      {"rot", 2,
       [](auto h, const auto& p) { return mublasSrot(h, kN, p[0], 25, p[1], 25, &kOne, &kTwo); }},
      {"rotm", 2,
       [](auto h, const auto& p) {
         const float parameters[5] = {-1, 1, 2, 3, 4};
         return mublasSrotm(h, kN, p[0], 25, p[1], 25, parameters);
       }},
      {"gemv", 3,
       [](auto h, const auto& p) {
         return mublasSgemv(h, kNo, kN, kN, &kTwo, p[0], kLd, p[1], 25, &kOne, p[2], 25);
       }},
      {"gemvStridedBatched", 3,
       [](auto h, const auto& p) {
         return mublasSgemvStridedBatched(h, kNo, 5, 5, &kTwo, p[0], kLd, 800, p[1], 1, 800, &kOne,
                                          p[2], 1, 800, 3);
       }},
      {"gbmv", 3,
       [](auto h, const auto& p) {
         return mublasSgbmv(h, kNo, kN, kN, 2, 3, &kTwo, p[0], kLd, p[1], 25, &kOne, p[2], 25);
       }},
      {"symv", 3,
       [](auto h, const auto& p) {
         return mublasSsymv(h, kUpper, kN, &kTwo, p[0], kLd, p[1], 25, &kOne, p[2], 25);
       }},
      {"sbmv", 3,
       [](auto h, const auto& p) {
         return mublasSsbmv(h, kUpper, kN, 3, &kTwo, p[0], kLd, p[1], 25, &kOne, p[2], 25);
       }},
      {"spmv", 3,
       [](auto h, const auto& p) {
         return mublasSspmv(h, kUpper, kN, &kTwo, p[0], p[1], 25, &kOne, p[2], 25);
       }},
      {"trmv", 2,
       [](auto h, const auto& p) {
         return mublasStrmv(h, kUpper, kNo, kUnit, kN, p[0], kLd, p[1], 25);
       }},
      {"tbsv", 2,
       [](auto h, const auto& p) {
         return mublasStbsv(h, kUpper, kNo, kUnit, kN, 3, p[0], kLd, p[1], 25);
       }},
      {"tpsv", 2,
       [](auto h, const auto& p) {
         return mublasStpsv(h, kUpper, kNo, kUnit, kN, p[0], p[1], 25);
       }},
      {"ger", 3,
       [](auto h, const auto& p) {
         return mublasSger(h, kN, kN, &kTwo, p[0], 25, p[1], 25, p[2], kLd);
       }},
      {"syr", 2,
       [](auto h, const auto& p) { return mublasSsyr(h, kUpper, kN, &kTwo, p[0], 25, p[1], kLd); }},
      {"spr2", 3,
       [](auto h, const auto& p) {
         return mublasSspr2(h, kUpper, kN, &kTwo, p[0], 25, p[1], 25, p[2]);
       }},
      {"gemm", 3,
       [](auto h, const auto& p) {
         return mublasSgemm(h, kNo, MUBLAS_OP_T, kN, kN, kN, &kTwo, p[0], kLd, p[1], kLd, &kOne,
                            p[2], kLd);
       }},
      {"gemmBatched", 3,
       [](auto h, const auto& p) {
         return mublasSgemmBatched(h, kNo, kNo, kN, kN, kN, &kTwo, array_of<const float*>(p[0]),
                                   kLd, array_of<const float*>(p[1]), kLd, &kOne,
                                   array_of<float*>(p[2]), kLd, 1);
       }},
      {"gemmStridedBatched", 3,
       [](auto h, const auto& p) {
         return mublasSgemmStridedBatched(h, kNo, kNo, 5, 5, 5, &kTwo, p[0], kLd, 800, p[1], kLd,
                                          800, &kOne, p[2], kLd, 800, 3);
       }},
      {"gemmEx", 3,
       [](auto h, const auto& p) {
         return mublasGemmEx(h, kNo, kNo, kN, kN, kN, &kTwo, p[0], MUSA_R_32F, kLd, p[1],
                             MUSA_R_32F, kLd, &kOne, p[2], MUSA_R_32F, kLd, MUBLAS_COMPUTE_32F,
                             MUBLAS_GEMM_DEFAULT);
       }},
      {"symm", 3,
       [](auto h, const auto& p) {
         return mublasSsymm(h, kLeft, kUpper, kN, kN, &kTwo, p[0], kLd, p[1], kLd, &kOne, p[2],
                            kLd);
       }},
      {"syr2k", 3,
       [](auto h, const auto& p) {
         return mublasSsyr2k(h, kUpper, kNo, kN, kN, &kTwo, p[0], kLd, p[1], kLd, &kOne, p[2], kLd);
       }},
      {"trmm", 3,
       [](auto h, const auto& p) {
         return mublasStrmm(h, kLeft, kUpper, kNo, kUnit, kN, kN, &kTwo, p[0], kLd, p[1], kLd, p[2],
                            kLd);
       }},
      {"trsm", 2,
       [](auto h, const auto& p) {
         return mublasStrsm(h, kLeft, kUpper, kNo, kUnit, kN, kN, &kTwo, p[0], kLd, p[1], kLd);
       }},
      {"geam", 3,
       [](auto h, const auto& p) {
         return mublasSgeam(h, kNo, kNo, kN, kN, &kTwo, p[0], kLd, &kTwo, p[1], kLd, p[2], kLd);
       }},
      {"dgmm", 3,
       [](auto h, const auto& p) {
         return mublasSdgmm(h, kLeft, kN, kN, p[0], kLd, p[1], 25, p[2], kLd);
       }},
  };
  return all;
}

class IllegalAddress : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mublasCreate(&handle_), MUBLAS_STATUS_SUCCESS); }
  void TearDown() override {
    EXPECT_EQ(mublasDestroy(handle_), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(musaDeviceReset(), musaSuccess);
  }
  static float* allocate() {
    void* memory = nullptr;
    EXPECT_EQ(musaMalloc(&memory, kBytes), musaSuccess);
    EXPECT_EQ(musaMemset(memory, 0, kBytes), musaSuccess);
    return static_cast<float*>(memory);
  }
  static Memory good() { return {allocate(), allocate(), allocate()}; }
  // Until the device is reset.
  static void expect_fault(const std::string& what) {
    EXPECT_EQ(musaDeviceSynchronize(), musaErrorIllegalAddress) << what;
    EXPECT_EQ(musaStreamSynchronize(nullptr), musaErrorIllegalAddress) << what;
    EXPECT_EQ(musaDeviceReset(), musaSuccess) << what;
    static_cast<void>(musaGetLastError());
    EXPECT_EQ(musaDeviceSynchronize(), musaSuccess) << what;
  }

  mublasHandle_t handle_ = nullptr;
};

TEST_F(IllegalAddress, NothingIsReportedForMemoryThatIsThere) {
  for (const Call& each : calls()) {
    EXPECT_EQ(each.call(handle_, good()), MUBLAS_STATUS_SUCCESS) << each.name;
    EXPECT_EQ(musaDeviceSynchronize(), musaSuccess) << each.name;
  }
}

TEST_F(IllegalAddress, FreedMemory) {
  for (const Call& each : calls()) {
    for (int i = 0; i < each.operands; ++i) {
      Memory operands = good();
      EXPECT_EQ(musaFree(operands[i]), musaSuccess);
      EXPECT_EQ(each.call(handle_, operands), MUBLAS_STATUS_SUCCESS) << each.name;
      expect_fault(std::string(each.name) + ", operand " + std::to_string(i));
    }
  }
}

// The end of the operand is beyond the end of the allocation.
TEST_F(IllegalAddress, TooLittleMemory) {
  for (const Call& each : calls()) {
    for (int i = 0; i < each.operands; ++i) {
      Memory operands = good();
      operands[i] += kLd * kN - 100;
      EXPECT_EQ(each.call(handle_, operands), MUBLAS_STATUS_SUCCESS) << each.name;
      expect_fault(std::string(each.name) + ", operand " + std::to_string(i));
    }
  }
}

TEST_F(IllegalAddress, NoMemoryAtAll) {
  Memory operands = good();
  operands[0] = reinterpret_cast<float*>(0x1000);
  EXPECT_EQ(mublasSscal(handle_, kN, &kTwo, operands[0], 1), MUBLAS_STATUS_SUCCESS);
  expect_fault("page that nobody mapped");
}

TEST_F(IllegalAddress, OfAResult) {
  float* freed = allocate();
  ASSERT_EQ(musaFree(freed), musaSuccess);
  float result = 0;
  EXPECT_EQ(mublasSdot(handle_, kN, freed, 1, freed, 1, &result), MUBLAS_STATUS_INTERNAL_ERROR);
  expect_fault("inputs of a result on the host");
  float* x = allocate();
  freed = allocate();
  ASSERT_EQ(musaFree(freed), musaSuccess);
  EXPECT_EQ(mublasSetPointerMode(handle_, MUBLAS_POINTER_MODE_DEVICE), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mublasSasum(handle_, kN, x, 1, freed), MUBLAS_STATUS_SUCCESS);
  expect_fault("result on the device");
  x = allocate();
  freed = allocate();
  ASSERT_EQ(musaFree(freed), musaSuccess);
  EXPECT_EQ(mublasSscal(handle_, kN, freed, x, 1), MUBLAS_STATUS_SUCCESS);
  expect_fault("scalar on the device");
}

// With factor 0 the inputs are not read, whatever they are.
TEST_F(IllegalAddress, UnreadInputsMayBeAnything) {
  const float zero = 0;
  Memory operands = good();
  ASSERT_EQ(musaFree(operands[0]), musaSuccess);
  EXPECT_EQ(mublasSgemm(handle_, kNo, kNo, kN, kN, kN, &zero, operands[0], kLd, operands[1], kLd,
                        &kTwo, operands[2], kLd),
            MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
}

// Memory that is freed after the call, but before the stream gets there.
TEST_F(IllegalAddress, MemoryThatIsFreedBeforeTheWork) {
  void* memory = nullptr;
  musaStream_t stream = nullptr;
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  ASSERT_EQ(musaMalloc(&memory, kBytes), musaSuccess);
  ASSERT_EQ(musaStreamCreate(&stream), musaSuccess);
  ASSERT_EQ(mublasSetStream(handle_, stream), MUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal), musaSuccess);
  EXPECT_EQ(mublasSscal(handle_, kN, &kTwo, static_cast<float*>(memory), 1), MUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(musaStreamEndCapture(stream, &graph), musaSuccess);
  ASSERT_EQ(musaGraphInstantiateWithFlags(&exec, graph, 0), musaSuccess);
  ASSERT_EQ(musaGraphLaunch(exec, stream), musaSuccess);
  EXPECT_EQ(musaStreamSynchronize(stream), musaSuccess);
  ASSERT_EQ(musaFree(memory), musaSuccess);
  ASSERT_EQ(musaGraphLaunch(exec, stream), musaSuccess);
  expect_fault("second launch of the graph");
  EXPECT_EQ(musaGraphExecDestroy(exec), musaSuccess);
  EXPECT_EQ(musaGraphDestroy(graph), musaSuccess);
}

}  // namespace
