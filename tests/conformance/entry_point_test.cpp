// Functions of CUDA's driver do not exist, and queries report that as documented. Also versions.
#include <cstdlib>

#include "tests/conformance/support.h"

namespace {

// The call must replace this by null.
void* stale() { return not_an_object; }

#if CUDA_MAJOR == 11

TEST(EntryPoint, cudaGetDriverEntryPoint_finds_none) {
  for (const unsigned long long flags : {0, 1, 2}) {
    void* function = stale();
    EXPECT_ERROR(cudaErrorSymbolNotFound, cudaGetDriverEntryPoint("cuMemAlloc", &function, flags));
    EXPECT_EQ(nullptr, function);
    function = stale();
    EXPECT_ERROR(cudaErrorSymbolNotFound, cudaGetDriverEntryPoint_ptsz("cuInit", &function, flags));
    EXPECT_EQ(nullptr, function);
  }
}

TEST(EntryPoint, cudaGetDriverEntryPoint_bad_arguments) {
  void* function = stale();
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint(nullptr, &function, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", nullptr, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", &function, 3));
  EXPECT_EQ(stale(), function);
}

#else

TEST(EntryPoint, cudaGetDriverEntryPoint_finds_none) {
  for (const char* name : {"cuMemAlloc", "cuGetProcAddress", "cuStreamWaitValue32",
                           "cuMemcpyBatchAsync", "muMemAlloc", "no such function", ""}) {
    void* function = stale();
    auto result = cudaDriverEntryPointSuccess;
    EXPECT_OK(cudaGetDriverEntryPoint(name, &function, 0, &result));
    EXPECT_EQ(nullptr, function);
    EXPECT_EQ(cudaDriverEntryPointSymbolNotFound, result);
    function = stale();
    result = cudaDriverEntryPointSuccess;
    EXPECT_OK(cudaGetDriverEntryPointByVersion(name, &function, 12000, 2, &result));
    EXPECT_EQ(nullptr, function);
    EXPECT_EQ(cudaDriverEntryPointSymbolNotFound, result);
    function = stale();
    EXPECT_OK(cudaGetDriverEntryPoint_ptsz(name, &function, 1, nullptr));
    EXPECT_EQ(nullptr, function);
    function = stale();
    EXPECT_OK(cudaGetDriverEntryPointByVersion_ptsz(name, &function, 12000, 0, nullptr));
    EXPECT_EQ(nullptr, function);
  }
}

TEST(EntryPoint, cudaGetDriverEntryPoint_bad_arguments) {
  void* function = stale();
  auto result = cudaDriverEntryPointSuccess;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint(nullptr, &function, 0, &result));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", nullptr, 0, &result));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", &function, 3, &result));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGetDriverEntryPointByVersion("cuInit", &function, 99000, 0, &result));
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, 0, &result));
  EXPECT_EQ(stale(), function);
  EXPECT_EQ(cudaDriverEntryPointSuccess, result);
}

#endif

TEST(Versions, cudaRuntimeGetVersion_is_of_the_major) {
  int runtime = 0, driver = 0;
  EXPECT_OK(cudaRuntimeGetVersion(&runtime));
  EXPECT_OK(cudaDriverGetVersion(&driver));
  EXPECT_EQ(CUDA_MAJOR, runtime / 1000);
  // Programs stop if the driver is older than the runtime.
  EXPECT_GE(driver, runtime);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaRuntimeGetVersion(nullptr));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDriverGetVersion(nullptr));
}

TEST(Versions, cudaRuntimeGetVersion_can_be_set) {
  int usual = 0, version = 0;
  ASSERT_OK(cudaRuntimeGetVersion(&usual));
  setenv("TORCHADA_CUDA_VERSION", "12.4", 1);
  EXPECT_OK(cudaRuntimeGetVersion(&version));
  EXPECT_EQ(12040, version);
  EXPECT_OK(cudaDriverGetVersion(&version));
  EXPECT_EQ(12040, version);
  for (const char* none : {"12", "new", "12.", ".4", "12.4x", "12.400", "-1.0", "12.4.", ""}) {
    setenv("TORCHADA_CUDA_VERSION", none, 1);
    EXPECT_OK(cudaRuntimeGetVersion(&version));
    EXPECT_EQ(usual, version) << none;
  }
  unsetenv("TORCHADA_CUDA_VERSION");
}

TEST(Versions, ncclGetVersion_can_be_set) {
  int usual = 0, version = 0;
  ASSERT_EQ(ncclSuccess, ncclGetVersion(&usual));
  setenv("TORCHADA_NCCL_VERSION", "2.27.3", 1);
  EXPECT_EQ(ncclSuccess, ncclGetVersion(&version));
  EXPECT_EQ(22703, version);
  setenv("TORCHADA_NCCL_VERSION", "2.8.4", 1);
  EXPECT_EQ(ncclSuccess, ncclGetVersion(&version));
  EXPECT_EQ(2804, version);
  setenv("TORCHADA_NCCL_VERSION", "latest", 1);
  EXPECT_EQ(ncclSuccess, ncclGetVersion(&version));
  EXPECT_EQ(usual, version);
  unsetenv("TORCHADA_NCCL_VERSION");
}

TEST(Texts, cudaGetErrorString_knows_what_cuda_knows) {
  EXPECT_STREQ("no error", cudaGetErrorString(cudaSuccess));
  EXPECT_STREQ("invalid argument", cudaGetErrorString(cudaErrorInvalidValue));
  EXPECT_STREQ("cudaErrorInvalidValue", cudaGetErrorName(cudaErrorInvalidValue));
  EXPECT_STREQ("unrecognized error code", cudaGetErrorString(static_cast<cudaError_t>(123456)));
  EXPECT_STREQ("unrecognized error code", cudaGetErrorName(static_cast<cudaError_t>(-1)));
}

TEST(Texts, cublasGetStatusString_knows_what_cublas_knows) {
  EXPECT_STREQ("CUBLAS_STATUS_NOT_SUPPORTED", cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED));
  EXPECT_STREQ("success", cublasGetStatusString(CUBLAS_STATUS_SUCCESS));
  EXPECT_STREQ("unrecognized status", cublasGetStatusString(static_cast<cublasStatus_t>(4711)));
  EXPECT_STREQ("unrecognized status", cublasGetStatusName(static_cast<cublasStatus_t>(-1)));
}

}  // namespace
