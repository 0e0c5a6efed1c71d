// Functions of CUDA's driver that programs ask the runtime for, and versions.
#include <dlfcn.h>

#include <cstdlib>

#include "tests/conformance/support.h"

namespace {

// The flags of CUDA's headers; 0 is the default.
constexpr unsigned long long kLegacyStream = 1;
constexpr unsigned long long kPerThreadStream = 2;

// The call must replace this.
void* stale() { return not_an_object; }

// What a program that links the driver's library calls by that name.
void* of_driver(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver ? dlsym(driver, name) : nullptr;
}

// The runtime gives driver functions only to a process that has the driver's library.
class EntryPoint : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(nullptr, of_driver("cuInit")); }
};

#if CUDA_MAJOR == 11

TEST_F(EntryPoint, cudaGetDriverEntryPoint_finds_the_drivers_own) {
  void* function = stale();
  EXPECT_OK(cudaGetDriverEntryPoint("cuMemAlloc", &function, 0));
  EXPECT_NE(nullptr, function);
  EXPECT_EQ(of_driver("cuMemAlloc_v2"), function);
  EXPECT_OK(cudaGetDriverEntryPoint("cuMemcpy", &function, kLegacyStream));
  EXPECT_EQ(of_driver("cuMemcpy"), function);
  EXPECT_OK(cudaGetDriverEntryPoint("cuMemcpy", &function, kPerThreadStream));
  EXPECT_EQ(of_driver("cuMemcpy_ptds"), function);
  // The newest of CUDA 11.
  EXPECT_OK(cudaGetDriverEntryPoint("cuGetProcAddress", &function, 0));
  EXPECT_EQ(of_driver("cuGetProcAddress"), function);
}

TEST_F(EntryPoint, cudaGetDriverEntryPoint_ptsz_means_the_threads_own_stream) {
  void* function = stale();
  EXPECT_OK(cudaGetDriverEntryPoint_ptsz("cuMemcpy", &function, 0));
  EXPECT_EQ(of_driver("cuMemcpy_ptds"), function);
  EXPECT_OK(cudaGetDriverEntryPoint_ptsz("cuMemcpy", &function, kLegacyStream));
  EXPECT_EQ(of_driver("cuMemcpy"), function);
}

TEST_F(EntryPoint, cudaGetDriverEntryPoint_of_no_such_function) {
  // The last two came with CUDA 12.
  for (const char* name : {"muMemAlloc", "cuMemAlloc_v2", "", "cuLibraryLoadData", "cuCtxGetId"}) {
    for (const unsigned long long flags : {0, 1, 2}) {
      void* function = stale();
      EXPECT_ERROR(cudaErrorSymbolNotFound, cudaGetDriverEntryPoint(name, &function, flags));
      EXPECT_EQ(nullptr, function);
      function = stale();
      EXPECT_ERROR(cudaErrorSymbolNotFound, cudaGetDriverEntryPoint_ptsz(name, &function, flags));
      EXPECT_EQ(nullptr, function);
    }
  }
}

TEST_F(EntryPoint, cudaGetDriverEntryPoint_bad_arguments) {
  void* function = stale();
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint(nullptr, &function, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", nullptr, 0));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", &function, 3));
  EXPECT_EQ(stale(), function);
}

#else

struct Answer {
  void* function = stale();
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
};

Answer ask(const char* name, unsigned version, unsigned long long flags) {
  Answer out;
  EXPECT_OK(cudaGetDriverEntryPointByVersion(name, &out.function, version, flags, &out.result));
  return out;
}

TEST_F(EntryPoint, cudaGetDriverEntryPointByVersion_finds_the_drivers_own) {
  const struct {
    const char* name;
    unsigned version;
    unsigned long long flags;
    const char* function;
  } kRequests[] = {
      {"cuMemAlloc", 3010, 0, "cuMemAlloc"},
      {"cuMemAlloc", 12000, 0, "cuMemAlloc_v2"},
      {"cuMemcpy", 12000, kLegacyStream, "cuMemcpy"},
      {"cuMemcpy", 12000, kPerThreadStream, "cuMemcpy_ptds"},
      {"cuCtxCreate", 12040, 0, "cuCtxCreate_v3"},
      {"cuGetProcAddress", 12000, 0, "cuGetProcAddress_v2"},
      // Found, although it only refuses.
      {"cuMulticastCreate", 12010, 0, "cuMulticastCreate"},
  };
  for (const auto& request : kRequests) {
    const Answer answer = ask(request.name, request.version, request.flags);
    EXPECT_EQ(cudaDriverEntryPointSuccess, answer.result) << request.name;
    EXPECT_NE(nullptr, answer.function) << request.name;
    EXPECT_EQ(of_driver(request.function), answer.function) << request.function;
  }
}

TEST_F(EntryPoint, cudaGetDriverEntryPoint_asks_for_the_runtimes_version) {
  void* function = stale();
  auto result = cudaDriverEntryPointSymbolNotFound;
  EXPECT_OK(cudaGetDriverEntryPoint("cuCtxSynchronize", &function, 0, &result));
  EXPECT_EQ(cudaDriverEntryPointSuccess, result);
  EXPECT_EQ(of_driver(CUDA_MAJOR == 12 ? "cuCtxSynchronize" : "cuCtxSynchronize_v2"), function);
  EXPECT_OK(cudaGetDriverEntryPoint("cuMemcpy", &function, 2, nullptr));
  EXPECT_EQ(of_driver("cuMemcpy_ptds"), function);
}

TEST_F(EntryPoint, cudaGetDriverEntryPoint_ptsz_means_the_threads_own_stream) {
  void* function = stale();
  EXPECT_OK(cudaGetDriverEntryPoint_ptsz("cuMemcpy", &function, 0, nullptr));
  EXPECT_EQ(of_driver("cuMemcpy_ptds"), function);
  EXPECT_OK(cudaGetDriverEntryPoint_ptsz("cuMemcpy", &function, kLegacyStream, nullptr));
  EXPECT_EQ(of_driver("cuMemcpy"), function);
}

TEST_F(EntryPoint, cudaGetDriverEntryPointByVersion_ptsz_means_the_threads_own_stream) {
  void* function = stale();
  EXPECT_OK(cudaGetDriverEntryPointByVersion_ptsz("cuMemcpy", &function, 12000, 0, nullptr));
  EXPECT_EQ(of_driver("cuMemcpy_ptds"), function);
  EXPECT_OK(cudaGetDriverEntryPointByVersion_ptsz("cuMemcpy", &function, 12000, 1, nullptr));
  EXPECT_EQ(of_driver("cuMemcpy"), function);
}

TEST_F(EntryPoint, cudaGetDriverEntryPointByVersion_says_why_nothing_is_found) {
  for (const char* name : {"muMemAlloc", "cuMemAlloc_v2", "no such function", ""}) {
    const Answer answer = ask(name, 12000, 0);
    EXPECT_EQ(cudaDriverEntryPointSymbolNotFound, answer.result) << name;
    EXPECT_EQ(nullptr, answer.function);
  }
  for (const Answer newer :
       {ask("cuMulticastCreate", 12000, 0), ask("cuMemcpy", 6050, kPerThreadStream)}) {
    EXPECT_EQ(cudaDriverEntryPointVersionNotSufficent, newer.result);
    EXPECT_EQ(nullptr, newer.function);
  }
}

TEST_F(EntryPoint, cudaGetDriverEntryPointByVersion_takes_versions_up_to_the_drivers) {
  int newest = 0;
  ASSERT_OK(cudaDriverGetVersion(&newest));
  EXPECT_EQ(of_driver("cuInit"), ask("cuInit", static_cast<unsigned>(newest), 0).function);
  void* function = stale();
  for (const unsigned version : {static_cast<unsigned>(newest) + 1, 99000u, 0x80000000u}) {
    EXPECT_ERROR(cudaErrorInvalidValue,
                 cudaGetDriverEntryPointByVersion("cuInit", &function, version, 0, nullptr));
  }
  EXPECT_EQ(stale(), function);
}

TEST_F(EntryPoint, cudaGetDriverEntryPoint_bad_arguments) {
  void* function = stale();
  auto result = cudaDriverEntryPointSuccess;
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint(nullptr, &function, 0, &result));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", nullptr, 0, &result));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", &function, 3, &result));
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
  // Programs stop if the driver is older than the runtime. The driver is one for all majors.
  EXPECT_GE(driver, runtime);
  int told = 0;
  const auto of_driver_itself = reinterpret_cast<int (*)(int*)>(of_driver("cuDriverGetVersion"));
  ASSERT_NE(nullptr, of_driver_itself);
  EXPECT_EQ(0, of_driver_itself(&told));
  EXPECT_EQ(told, driver);
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
