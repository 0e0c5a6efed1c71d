// Shared by the tests of the driver's functions. One library has all majors, so they are compiled
// once, with the newest declarations, and run on every tree of the stand-in.
#ifndef TORCHADA_TESTS_CONFORMANCE_CUDA_DRIVER_H_
#define TORCHADA_TESTS_CONFORMANCE_CUDA_DRIVER_H_

#include <cstdlib>
#include <string>

#include "tests/conformance/support.h"

#define ASSERT_CU(call) ASSERT_EQ(CUDA_SUCCESS, (call))
#define EXPECT_CU(call) EXPECT_EQ(CUDA_SUCCESS, (call))

// Begins a test that launches kernels: IMAGES is the folder of their images, if this build has a
// compiler of device code.
#ifdef IMAGES
#define NEEDS_IMAGES()
#else
#define IMAGES ""
#define NEEDS_IMAGES() GTEST_SKIP() << "there is no compiler of device code, and so no image"
#endif

// Flags, which no function names as a type.
constexpr unsigned CU_CTX_SCHED_SPIN = 1;
constexpr unsigned CU_CTX_SCHED_YIELD = 2;
constexpr unsigned CU_CTX_SCHED_MASK = 7;
constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
constexpr unsigned CU_MEM_ATTACH_GLOBAL = 1;
constexpr unsigned CU_HOST_TASK_BLOCKING = 0;
constexpr unsigned CU_HOST_TASK_SPINWAIT = 1;
constexpr unsigned CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0;
constexpr unsigned CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1;
constexpr unsigned CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2;
constexpr unsigned CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE = 1;
constexpr unsigned CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES = 2;
constexpr unsigned CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1;

// The SDK of the tree that TORCHADA_MUSA_PATH names: 31, 43, 51 or 52.
inline int tree() {
  const char* path = std::getenv("TORCHADA_MUSA_PATH");
  const std::string text = path ? path : "";
  if (text.ends_with("/3.1")) return 31;
  if (text.ends_with("/4.3")) return 43;
  return text.ends_with("/5.1") ? 51 : 52;
}

// Whether `status` is that of a function that MUSA has: since `sdk` it must be success, and before
// CUDA_ERROR_NOT_SUPPORTED.
inline bool served_since(int sdk, CUresult status) {
  EXPECT_EQ(tree() >= sdk ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED, status);
  return status == CUDA_SUCCESS;
}

// The call must be refused with a line that has the text.
template <typename Call>
void expect_refused(const std::string& text, Call call) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, call());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find(text)) << said;
}

// The primary context of device 0 is current.
class Driver : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_CU(cuInit(0));
    ASSERT_CU(cuDevicePrimaryCtxRetain(&context_, 0));
    ASSERT_CU(cuCtxSetCurrent(context_));
  }
  void TearDown() override {
    EXPECT_CU(cuCtxSynchronize());
    EXPECT_CU(cuDevicePrimaryCtxRelease_v2(0));
    EXPECT_EQ(cudaSuccess, cudaPeekAtLastError());  // The driver's errors are not the runtime's.
  }
  CUcontext context_ = nullptr;
};

inline CUdeviceptr address_of(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }
inline void* memory_at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

inline CUmemLocation place(CUmemLocationType type, int id = 0) {
  CUmemLocation made{};
  made.type = type;
  made.id = id;
  return made;
}

#endif  // TORCHADA_TESTS_CONFORMANCE_CUDA_DRIVER_H_
