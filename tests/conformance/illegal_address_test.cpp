// Memory that is not there, in calls of the libraries. As after a kernel, the next synchronisation
// reports cudaErrorIllegalAddress, and the device is unusable until it is reset. NCCL looks at the
// call.
#include "tests/conformance/support.h"

namespace {

constexpr int kCount = 64;
constexpr size_t kBytes = kCount * sizeof(float);
const float kOne = 1;

class IllegalAddress : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(cudaMalloc(&good_, kBytes)); }
  void TearDown() override { EXPECT_OK(cudaDeviceReset()); }

  static float* freed() {
    void* memory = nullptr;
    EXPECT_OK(cudaMalloc(&memory, kBytes));
    EXPECT_OK(cudaFree(memory));
    return static_cast<float*>(memory);
  }
  float* good() const { return static_cast<float*>(good_); }
  // All of it but the first element, so that the last one is beyond the end.
  float* short_by_one() const { return good() + 1; }

  void expect_reported() {
    EXPECT_EQ(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    void* more = nullptr;
    EXPECT_EQ(cudaErrorIllegalAddress, cudaMalloc(&more, 1)) << "it stays";
    EXPECT_OK(cudaDeviceReset());
    static_cast<void>(cudaGetLastError());
    ASSERT_OK(cudaMalloc(&good_, kBytes));
    EXPECT_OK(cudaDeviceSynchronize());
  }

  void* good_ = nullptr;
};

TEST_F(IllegalAddress, cublasSscal_v2_reports_memory_that_is_not_there) {
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSscal_v2(handle, kCount, &kOne, good(), 1));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSscal_v2(handle, kCount, &kOne, freed(), 1));
  expect_reported();
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasSscal_v2(handle, kCount, &kOne, short_by_one(), 1));
  expect_reported();
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle));
}

TEST_F(IllegalAddress, cublasSgemm_v2_reports_memory_that_is_not_there) {
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle));
  const auto multiply = [&](float* a, float* b, float* c) {
    return cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &kOne, a, 8, b, 8, &kOne, c,
                          8);
  };
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, multiply(good(), good(), good()));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, multiply(freed(), good(), good()));
  expect_reported();
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, multiply(good(), short_by_one(), good()));
  expect_reported();
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, multiply(good(), good(), freed()));
  expect_reported();
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle));
}

TEST_F(IllegalAddress, curandGenerateUniform_reports_memory_that_is_not_there) {
  curandGenerator_t generator = nullptr;
  ASSERT_EQ(CURAND_STATUS_SUCCESS, curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerateUniform(generator, good(), kCount));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerateUniform(generator, freed(), kCount));
  expect_reported();
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerateUniform(generator, short_by_one(), kCount));
  expect_reported();
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandDestroyGenerator(generator));
}

TEST_F(IllegalAddress, cufftExecC2C_reports_memory_that_is_not_there) {
  cufftHandle plan = 0;
  ASSERT_EQ(CUFFT_SUCCESS, cufftPlan1d(&plan, kCount / 2, CUFFT_C2C, 1));
  const auto transform = [&](float* in, float* out) {
    return cufftExecC2C(plan, static_cast<cufftComplex*>(static_cast<void*>(in)),
                        static_cast<cufftComplex*>(static_cast<void*>(out)), -1);
  };
  EXPECT_EQ(CUFFT_SUCCESS, transform(good(), good()));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(CUFFT_SUCCESS, transform(freed(), good()));
  expect_reported();
  EXPECT_EQ(CUFFT_SUCCESS, transform(good(), short_by_one()));
  expect_reported();
  EXPECT_EQ(CUFFT_SUCCESS, cufftDestroy(plan));
}

TEST_F(IllegalAddress, ncclAllReduce_refuses_memory_that_is_not_there) {
  ncclUniqueId id{};
  ncclComm_t all = nullptr;
  ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&id));
  ASSERT_EQ(ncclSuccess, ncclCommInitRank(&all, 1, id, 0));
  const auto reduce = [&](float* from, float* to) {
    return ncclAllReduce(from, to, kCount, ncclFloat, ncclSum, all, nullptr);
  };
  EXPECT_EQ(ncclSuccess, reduce(good(), good()));
  EXPECT_EQ(ncclInvalidArgument, reduce(freed(), good()));
  EXPECT_EQ(ncclInvalidArgument, reduce(good(), short_by_one()));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(ncclSuccess, ncclCommDestroy(all));
}

// One of the kinds of each library's calls in each row; `bad` is where the call writes.
struct Product {
  const char* function;
  cublasStatus_t (*call)(cublasHandle_t handle, const float* good, float* bad);
};

const Product kProducts[] = {
    {"cublasSaxpy_v2",
     [](auto handle, auto* good, auto* bad) {
       return cublasSaxpy_v2(handle, kCount, &kOne, good, 1, bad, 1);
     }},
    {"cublasScopy_v2", [](auto handle, auto* good,
                          auto* bad) { return cublasScopy_v2(handle, kCount, good, 1, bad, 1); }},
    {"cublasSgemv_v2",
     [](auto handle, auto* good, auto* bad) {
       return cublasSgemv_v2(handle, CUBLAS_OP_N, 8, 8, &kOne, good, 8, good, 1, &kOne, bad, 1);
     }},
    {"cublasSger_v2",
     [](auto handle, auto* good, auto* bad) {
       return cublasSger_v2(handle, 8, 8, &kOne, good, 1, good, 1, bad, 8);
     }},
    {"cublasStrsv_v2",
     [](auto handle, auto* good, auto* bad) {
       return cublasStrsv_v2(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 8, good,
                             8, bad, 1);
     }},
    {"cublasSsyrk_v2",
     [](auto handle, auto* good, auto* bad) {
       return cublasSsyrk_v2(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 8, 8, &kOne, good, 8,
                             &kOne, bad, 8);
     }},
    {"cublasStrsm_v2",
     [](auto handle, auto* good, auto* bad) {
       return cublasStrsm_v2(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                             CUBLAS_DIAG_UNIT, 8, 8, &kOne, good, 8, bad, 8);
     }},
    {"cublasSgeam",
     [](auto handle, auto* good, auto* bad) {
       return cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, &kOne, good, 8, &kOne, good, 8,
                          bad, 8);
     }},
    {"cublasSgemmStridedBatched",
     [](auto handle, auto* good, auto* bad) {
       return cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &kOne, good, 4,
                                        16, good, 4, 16, &kOne, bad, 4, 16, 2);
     }},
};

TEST_F(IllegalAddress, each_kind_of_product_reports_memory_that_is_not_there) {
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasCreate_v2(&handle));
  for (const Product& each : kProducts) {
    SCOPED_TRACE(each.function);
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, each.call(handle, good(), freed()));
    expect_reported();
  }
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasDestroy_v2(handle));
}

struct Numbers {
  const char* function;
  curandStatus_t (*call)(curandGenerator_t generator, float* bad);
};

double* doubles(float* memory) { return static_cast<double*>(static_cast<void*>(memory)); }
unsigned int* integers(float* memory) {
  return static_cast<unsigned int*>(static_cast<void*>(memory));
}

const Numbers kNumbers[] = {
    {"curandGenerate", [](auto g, auto* bad) { return curandGenerate(g, integers(bad), kCount); }},
    {"curandGenerateUniformDouble",
     [](auto g, auto* bad) { return curandGenerateUniformDouble(g, doubles(bad), kCount / 2); }},
    {"curandGenerateNormal",
     [](auto g, auto* bad) { return curandGenerateNormal(g, bad, kCount, 0, 1); }},
    {"curandGenerateNormalDouble",
     [](auto g, auto* bad) {
       return curandGenerateNormalDouble(g, doubles(bad), kCount / 2, 0, 1);
     }},
};

TEST_F(IllegalAddress, each_distribution_reports_memory_that_is_not_there) {
  curandGenerator_t generator = nullptr;
  ASSERT_EQ(CURAND_STATUS_SUCCESS, curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  for (const Numbers& each : kNumbers) {
    SCOPED_TRACE(each.function);
    EXPECT_EQ(CURAND_STATUS_SUCCESS, each.call(generator, freed()));
    expect_reported();
  }
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandDestroyGenerator(generator));
}

struct Collective {
  const char* function;
  ncclResult_t (*call)(ncclComm_t all, const float* from, float* to);
};

const Collective kCollectives[] = {
    {"ncclBroadcast",
     [](auto all, auto* from, auto* to) {
       return ncclBroadcast(from, to, kCount, ncclFloat, 0, all, nullptr);
     }},
    {"ncclReduce",
     [](auto all, auto* from, auto* to) {
       return ncclReduce(from, to, kCount, ncclFloat, ncclSum, 0, all, nullptr);
     }},
    {"ncclAllGather",
     [](auto all, auto* from, auto* to) {
       return ncclAllGather(from, to, kCount, ncclFloat, all, nullptr);
     }},
    {"ncclReduceScatter",
     [](auto all, auto* from, auto* to) {
       return ncclReduceScatter(from, to, kCount, ncclFloat, ncclSum, all, nullptr);
     }},
};

TEST_F(IllegalAddress, each_collective_refuses_memory_that_is_not_there) {
  ncclUniqueId id{};
  ncclComm_t all = nullptr;
  ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&id));
  ASSERT_EQ(ncclSuccess, ncclCommInitRank(&all, 1, id, 0));
  for (const Collective& each : kCollectives) {
    SCOPED_TRACE(each.function);
    EXPECT_EQ(ncclSuccess, each.call(all, good(), good()));
    EXPECT_EQ(ncclInvalidArgument, each.call(all, freed(), good()));
    EXPECT_EQ(ncclInvalidArgument, each.call(all, good(), freed()));
  }
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(ncclSuccess, ncclCommDestroy(all));
}

}  // namespace
