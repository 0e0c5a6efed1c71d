// The last error, texts and versions.
#include <thread>

#include "tests/conformance/support.h"

namespace {

TEST(Errors, cudaGetLastError_returns_the_last_error_once) {
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(-1));
  int device = -1;
  EXPECT_OK(cudaGetDevice(&device));  // a success does not clear the error
  EXPECT_EQ(cudaErrorInvalidDevice, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
}

TEST(Errors, cudaGetLastError_returns_the_newest_of_several) {
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(-1));
  EXPECT_EQ(cudaErrorInvalidValue, cudaGetDevice(nullptr));
  EXPECT_EQ(cudaErrorInvalidValue, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
}

TEST(Errors, cudaGetLastError_of_one_thread_is_not_that_of_another) {
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(-1));
  std::thread([] { EXPECT_EQ(cudaSuccess, cudaGetLastError()); }).join();
  EXPECT_EQ(cudaErrorInvalidDevice, cudaGetLastError());
}

TEST(Errors, cudaGetLastError_does_not_remember_not_ready) {
  Stream stream;
  Gate gate;
  gate.hold(stream);
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(stream));
}

TEST(Errors, cudaGetLastError_returns_what_the_library_itself_refused) {
  EXPECT_EQ(cudaErrorNotSupported, cudaGraphicsMapResources(1, nullptr, nullptr));
  EXPECT_EQ(cudaErrorNotSupported, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaGetLastError());
}

TEST(Errors, cudaPeekAtLastError_leaves_the_error) {
  EXPECT_EQ(cudaErrorInvalidDevice, cudaSetDevice(-1));
  EXPECT_EQ(cudaErrorInvalidDevice, cudaPeekAtLastError());
  EXPECT_EQ(cudaErrorInvalidDevice, cudaPeekAtLastError());
  EXPECT_EQ(cudaErrorInvalidDevice, cudaGetLastError());
  EXPECT_EQ(cudaSuccess, cudaPeekAtLastError());
}

TEST(Errors, cudaGetErrorName_is_cudas) {
  EXPECT_STREQ("cudaSuccess", cudaGetErrorName(cudaSuccess));
  EXPECT_STREQ("cudaErrorMemoryAllocation", cudaGetErrorName(cudaErrorMemoryAllocation));
  EXPECT_STREQ("cudaErrorNotSupported", cudaGetErrorName(cudaErrorNotSupported));
  EXPECT_STREQ("unrecognized error code", cudaGetErrorName(static_cast<cudaError_t>(998)));
}

TEST(Errors, cudaGetErrorString_has_a_text_for_every_number) {
  EXPECT_STREQ("no error", cudaGetErrorString(cudaSuccess));
  EXPECT_STREQ("out of memory", cudaGetErrorString(cudaErrorMemoryAllocation));
  EXPECT_STREQ("unrecognized error code", cudaGetErrorString(static_cast<cudaError_t>(998)));
  for (int code = 0; code <= 1000; ++code) {
    ASSERT_NE(nullptr, cudaGetErrorString(static_cast<cudaError_t>(code))) << code;
    ASSERT_NE(nullptr, cudaGetErrorName(static_cast<cudaError_t>(code))) << code;
  }
}

TEST(Versions, cudaRuntimeGetVersion_is_of_this_major) {
  int version = 0;
  EXPECT_OK(cudaRuntimeGetVersion(&version));
  EXPECT_EQ(CUDA_MAJOR, version / 1000);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaRuntimeGetVersion(nullptr));
}

TEST(Versions, cudaDriverGetVersion_is_no_older_than_the_runtime) {
  int runtime = 0;
  int driver = 0;
  EXPECT_OK(cudaRuntimeGetVersion(&runtime));
  EXPECT_OK(cudaDriverGetVersion(&driver));
  EXPECT_GE(driver, runtime);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaDriverGetVersion(nullptr));
}

}  // namespace
