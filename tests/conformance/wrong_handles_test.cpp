// The handles of the libraries, given where another library or another kind is wanted, after they
// were destroyed, and pointers to all sorts of memory. tests/host/musa/wrong_handles_test.cpp has
// those of the driver and of the runtime.
#include <algorithm>

#include "tests/conformance/support.h"

namespace {

struct Handles {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cublasHandle_t blas = nullptr;
  cublasXtHandle_t xt = nullptr;
  cublasLtHandle_t light = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatrixTransformDesc_t transform = nullptr;
  curandGenerator_t generator = nullptr;
  nvrtcProgram program = nullptr;
  ncclComm_t communicator = nullptr;
  cufftHandle plan = 0;

  void make() {
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaEventCreate(&event));
    EXPECT_EQ(0, cublasCreate_v2(&blas));
    EXPECT_EQ(0, cublasXtCreate(&xt));
    EXPECT_EQ(0, cublasLtCreate(&light));
    EXPECT_EQ(0, cublasLtMatrixLayoutCreate(&layout, cudaDataType(), 1, 1, 1));
    EXPECT_EQ(0, cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, cudaDataType_t()));
    EXPECT_EQ(0, cublasLtMatmulPreferenceCreate(&preference));
    EXPECT_EQ(0, cublasLtMatrixTransformDescCreate(&transform, cudaDataType()));
    EXPECT_EQ(0, curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    EXPECT_EQ(0, nvrtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr));
    ncclUniqueId id{};
    EXPECT_EQ(0, ncclGetUniqueId(&id));
    EXPECT_EQ(0, ncclCommInitRank(&communicator, 1, id, 0));
    EXPECT_EQ(0, cufftCreate(&plan));
  }
  void destroy() const {
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_OK(cudaEventDestroy(event));
    EXPECT_EQ(0, cublasDestroy_v2(blas));
    EXPECT_EQ(0, cublasXtDestroy(xt));
    EXPECT_EQ(0, cublasLtDestroy(light));
    EXPECT_EQ(0, cublasLtMatrixLayoutDestroy(layout));
    EXPECT_EQ(0, cublasLtMatmulDescDestroy(product));
    EXPECT_EQ(0, cublasLtMatmulPreferenceDestroy(preference));
    EXPECT_EQ(0, cublasLtMatrixTransformDescDestroy(transform));
    EXPECT_EQ(0, curandDestroyGenerator(generator));
    nvrtcProgram gone = program;
    EXPECT_EQ(0, nvrtcDestroyProgram(&gone));
    EXPECT_EQ(0, ncclCommDestroy(communicator));
    EXPECT_EQ(0, cufftDestroy(plan));
  }
  // In one order, with their names.
  std::vector<std::pair<std::string, void*>> all() const {
    return {{"stream", stream},       {"event", event},           {"cuBLAS", blas},
            {"cuBLASXt", xt},         {"cuBLASLt", light},        {"layout", layout},
            {"product", product},     {"preference", preference}, {"transform", transform},
            {"generator", generator}, {"program", program},       {"communicator", communicator}};
  }
};

struct Call {
  const char* function;
  std::string takes;  // The name of a handle, or of two.
  int status;
  int (*call)(void* x);
};

// What muBLAS and muBLASLt say of a wrong handle has no source that explains it.
constexpr int kRefused = -1;

#define CALL(kind, status, Type, function, ...)                        \
  {                                                                    \
#function, kind, static_cast<int>(status), [](void* handle) -> int { \
     const auto x = static_cast<Type>(handle);                                   \
     return static_cast<int>(function(__VA_ARGS__));                             \
   } \
  }

// A product of one number, in `product`, which the test makes.
struct Product {
  cublasLtMatmulDesc_t description = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  void* memory = nullptr;
} product;

cublasStatus_t multiply(cublasLtHandle_t handle) {
  const float one = 1;
  return cublasLtMatmul(handle, product.description, &one, product.memory, product.layout,
                        product.memory, product.layout, &one, product.memory, product.layout,
                        product.memory, product.layout, nullptr, nullptr, 0, nullptr);
}

bool takes(const Call& call, const std::string& name) {
  const bool is_blas = name == "cuBLAS" || name == "cuBLASLt";
  return name == call.takes || (is_blas && call.takes == "cuBLAS cuBLASLt");
}

cublasStatus_t xt_block(cublasXtHandle_t handle) { return cublasXtSetBlockDim(handle, 64); }

const std::vector<Call> kCalls = {
    CALL("cuBLAS", kRefused, cublasHandle_t, cublasSetStream_v2, x, nullptr),
    CALL("cuBLAS", kRefused, cublasHandle_t, cublasSscal_v2, x, 0, nullptr, nullptr, 1),
    CALL("cuBLAS", kRefused, cublasHandle_t, cublasDestroy_v2, x),
    CALL("cuBLASXt", CUBLAS_STATUS_INVALID_VALUE, cublasXtHandle_t, xt_block, x),
    CALL("cuBLASXt", CUBLAS_STATUS_INVALID_VALUE, cublasXtHandle_t, cublasXtDestroy, x),
    CALL("cuBLASLt", kRefused, cublasLtHandle_t, cublasLtDestroy, x),
    // Takes cuBLAS's as well.
    CALL("cuBLAS cuBLASLt", CUBLAS_STATUS_NOT_INITIALIZED, cublasLtHandle_t, multiply, x),
    CALL("layout", kRefused, cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy, x),
    CALL("product", kRefused, cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy, x),
    CALL("preference", kRefused, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy, x),
    CALL("transform", kRefused, cublasLtMatrixTransformDesc_t, cublasLtMatrixTransformDescDestroy,
         x),
    CALL("generator", CURAND_STATUS_NOT_INITIALIZED, curandGenerator_t,
         curandSetPseudoRandomGeneratorSeed, x, 1),
    CALL("generator", CURAND_STATUS_NOT_INITIALIZED, curandGenerator_t, curandDestroyGenerator, x),
    CALL("program", NVRTC_ERROR_INVALID_PROGRAM, nvrtcProgram, nvrtcCompileProgram, x, 0, nullptr),
    CALL("program", NVRTC_ERROR_INVALID_PROGRAM, nvrtcProgram, nvrtcGetProgramLogSize, x,
         reinterpret_cast<size_t*>(not_an_object)),
    CALL("program", NVRTC_ERROR_INVALID_PROGRAM, nvrtcProgram, nvrtcAddNameExpression, x, "f"),
    {"nvrtcDestroyProgram", "program", static_cast<int>(NVRTC_ERROR_INVALID_PROGRAM),
     [](void* handle) -> int {
       auto x = static_cast<nvrtcProgram>(handle);
       return static_cast<int>(nvrtcDestroyProgram(&x));
     }},
    CALL("communicator", ncclInvalidArgument, ncclComm_t, ncclCommCount, x,
         reinterpret_cast<int*>(not_an_object)),
    CALL("communicator", ncclInvalidArgument, ncclComm_t, ncclCommDestroy, x),
    CALL("stream", cudaErrorInvalidResourceHandle, cudaStream_t, cudaStreamQuery, x),
    CALL("event", cudaErrorInvalidResourceHandle, cudaEvent_t, cudaEventQuery, x),
};

TEST(WrongHandles, none_is_taken_for_another_kind) {
  Handles gone;
  gone.make();
  gone.destroy();
  Handles live;
  live.make();
  std::vector<std::pair<std::string, void*>> handles = live.all();
  const size_t alive = handles.size();
  for (const auto& [name, handle] : gone.all()) {
    // Memory that was given back may be that of a new object, which is another's good handle then.
    const bool is_used_again = std::any_of(handles.begin(), handles.end(),
                                           [&](const auto& each) { return each.second == handle; });
    if (!is_used_again) handles.emplace_back("destroyed " + name, handle);
  }
  for (size_t i = 0; i < alive; ++i) {
    handles.emplace_back(handles[i].first + " + 8", static_cast<char*>(handles[i].second) + 8);
  }
  char stack[256] = {};
  handles.emplace_back("stack", stack);
  handles.emplace_back("data", not_an_object);
  for (const std::uintptr_t number : {0x10, 64, 128, 0x7fff0000}) {
    handles.emplace_back(std::to_string(number), reinterpret_cast<void*>(number));
  }
  handles.emplace_back("all bits", reinterpret_cast<void*>(~std::uintptr_t{0}));
  product = {live.product, live.layout, nullptr};
  ASSERT_OK(cudaMalloc(&product.memory, 64));
  for (cublasLtHandle_t handle : {reinterpret_cast<cublasLtHandle_t>(live.blas), live.light}) {
    EXPECT_EQ(CUBLAS_STATUS_SUCCESS, multiply(handle));
  }
  for (const Call& call : kCalls) {
    for (const auto& [name, handle] : handles) {
      if (takes(call, name)) continue;
      const int status = call.call(handle);
      EXPECT_EQ(call.status, call.status == kRefused && status != 0 ? kRefused : status)
          << call.function << " with " << name;
    }
  }
  for (const cufftHandle plan : {-2, 0, gone.plan, live.plan + 1, 64, 1 << 20}) {
    EXPECT_EQ(CUFFT_INVALID_PLAN, cufftSetStream(plan, nullptr)) << plan;
    EXPECT_EQ(CUFFT_INVALID_PLAN, cufftDestroy(plan)) << plan;
  }
  cudaGetLastError();
  EXPECT_OK(cudaFree(product.memory));
  live.destroy();
}

}  // namespace
