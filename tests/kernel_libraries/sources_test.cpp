// Code of the same name with internal linkage in several sources: each fat binary gets its own
// source's, and never another's. Images: IMAGE_OF_A, IMAGE_OF_B and IMAGE_OF_BOTH (of_sources.c).
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "tests/conformance/support.h"
#include "tests/device_code/registering.h"

namespace {

// What nvcc puts around the names of the sources a.cu and b.cu.
#define A_CU "fbaae8a4_4_a_cu_main"
#define B_CU "959edb7c_4_b_cu_01234567"

char a_same, b_same, a_unnamed, b_unnamed, a_lambda, b_lambda, alone, plain, absent;
int a_value, b_value;

class Sources : public testing::Test {
 protected:
  static void use(const char* images) { setenv("TORCHADA_KERNELS", images, 1); }

  // nvcc's names of the same code in both.
  void register_both() {
    a_.kernel(&a_same, "_Z4samePi");
    a_.kernel(&a_unnamed, "_ZN32_GLOBAL__N__" A_CU "7unnamedEPi");
    a_.kernel(&a_lambda, "_Z4runxIZN30_INTERNAL_" A_CU "6callerEN2ns1TEPS2_EUlS3_E_JS3_EEvT_DpT0_");
    a_.variable(&a_value, "value", sizeof a_value);
    b_.variable(&b_value, "value", sizeof b_value);
    b_.kernel(&b_same, "_Z4samePi");
    b_.kernel(&b_unnamed, "_ZN36_GLOBAL__N__" B_CU "7unnamedEPi");
    b_.kernel(&b_lambda, "_Z4runxIZN34_INTERNAL_" B_CU "6callerEN2ns1TEPS2_EUlS3_E_JS3_EEvT_DpT0_");
  }

  static cudaError_t start(const void* kernel, void* out) {
    void* arguments[] = {&out};
    return cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr);
  }

  // The number that the kernel writes, or the status with a minus.
  static int result_of(const void* kernel) {
    void* out = nullptr;
    EXPECT_OK(cudaMalloc(&out, sizeof(int)));
    int result = 0;
    if (const cudaError_t status = start(kernel, out)) {
      EXPECT_EQ(status, cudaGetLastError());
      result = -static_cast<int>(status);
    } else {
      EXPECT_OK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    }
    EXPECT_OK(cudaFree(out));
    return result;
  }

  static int value_of(const void* variable) {
    int value = 0;
    const cudaError_t status =
        cudaMemcpyFromSymbol(&value, variable, sizeof value, 0, cudaMemcpyDeviceToHost);
    return status == cudaSuccess ? value : -static_cast<int>(status);
  }

  static constexpr int kRefused = -static_cast<int>(kNoImage);

  Module a_, b_;
};

TEST_F(Sources, ServeTheirOwnCode) {
  use(IMAGE_OF_BOTH);
  register_both();
  EXPECT_EQ(1, result_of(&a_same));
  EXPECT_EQ(2, result_of(&b_same));
  EXPECT_EQ(11, result_of(&a_unnamed));
  EXPECT_EQ(12, result_of(&b_unnamed));
  EXPECT_EQ(21, result_of(&a_lambda));
  EXPECT_EQ(22, result_of(&b_lambda));
  EXPECT_EQ(31, value_of(&a_value));
  EXPECT_EQ(32, value_of(&b_value));
}

TEST_F(Sources, ServeTheirOwnCodeFromTwoImages) {
  use(IMAGE_OF_B ":" IMAGE_OF_A);
  register_both();
  EXPECT_EQ(1, result_of(&a_same));
  EXPECT_EQ(2, result_of(&b_same));
  EXPECT_EQ(12, result_of(&b_unnamed));
  EXPECT_EQ(11, result_of(&a_unnamed));
  EXPECT_EQ(31, value_of(&a_value));
  EXPECT_EQ(32, value_of(&b_value));
}

TEST_F(Sources, ServeNoOther) {
  use(IMAGE_OF_B);
  register_both();
  testing::internal::CaptureStderr();
  for (const void* kernel : {&a_same, &a_unnamed, &a_lambda}) {
    EXPECT_EQ(kRefused, result_of(kernel));
  }
  EXPECT_EQ(kRefused, value_of(&a_value));
  const std::string said = testing::internal::GetCapturedStderr();
  for (const char* const name : {"kernel same(int*)", "kernel (anonymous namespace)::unnamed(int*)",
                                 "device variable value"}) {
    EXPECT_NE(std::string::npos,
              said.find(name + std::string(" is in none of the 1 kernel libraries")))
        << said;
  }
  EXPECT_EQ(2, result_of(&b_same));
  EXPECT_EQ(32, value_of(&b_value));
}

// nvcc's linker (-rdc=true) makes one fat binary of all.
TEST_F(Sources, OfOneFatBinary) {
  use(IMAGE_OF_BOTH);
  a_.kernel(&a_same, "__nv_static_21__" A_CU "__Z4samePi");
  a_.kernel(&b_same, "__nv_static_25__" B_CU "__Z4samePi");
  EXPECT_EQ(1, result_of(&a_same));
  EXPECT_EQ(2, result_of(&b_same));
}

constexpr const char* kDoubt =
    ", but the program does not tell whether it is from the same source, so it is not used\n";

// Nothing that two fat binaries register tells their sources.
TEST_F(Sources, NotTold) {
  use(IMAGE_OF_B);
  a_.kernel(&a_same, "_Z4samePi");
  b_.kernel(&b_same, "_Z4samePi");
  testing::internal::CaptureStderr();
  EXPECT_EQ(kRefused, result_of(&a_same));
  EXPECT_EQ(kRefused, result_of(&b_same));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos,
            said.find(": _Z4samePi is a static kernel in " IMAGE_OF_B + std::string(kDoubt)))
      << said;
}

TEST_F(Sources, NotToldAndInTwo) {
  use(IMAGE_OF_BOTH);
  a_.kernel(&a_same, "_Z4samePi");
  EXPECT_EQ(kRefused, result_of(&a_same));
}

// Only the source of the fat binary has all its kernels.
TEST_F(Sources, NotToldButAllFound) {
  use(IMAGE_OF_A ":" IMAGE_OF_B);
  b_.kernel(&alone, "_Z5alonePi");
  b_.kernel(&plain, "_Z5plainPi");
  b_.variable(&b_value, "elsewhere", sizeof b_value);
  EXPECT_EQ(42, result_of(&alone));
  EXPECT_EQ(52, result_of(&plain));
}

TEST_F(Sources, NotToldAndNotAllFound) {
  use(IMAGE_OF_B);
  b_.kernel(&alone, "_Z5alonePi");
  b_.kernel(&absent, "_Z6absentPi");
  testing::internal::CaptureStderr();
  EXPECT_EQ(kRefused, result_of(&alone));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos,
            said.find(": _Z5alonePi is a static kernel in " IMAGE_OF_B + std::string(kDoubt)))
      << said;
}

// A fat binary that is registered later may have the place of one that is gone.
TEST_F(Sources, NotToldAndGone) {
  use(IMAGE_OF_A);
  for (int i = 0; i < 3; ++i) {
    const Module whole;
    whole.kernel(&a_same, "_Z4samePi");
    EXPECT_EQ(1, result_of(&a_same));
  }
  for (int i = 0; i < 3; ++i) {
    const Module other;
    other.kernel(&a_same, "_Z4samePi");
    other.kernel(&absent, "_Z6absentPi");
    EXPECT_EQ(kRefused, result_of(&a_same));
  }
}

// Another fat binary's kernel of that name has external linkage.
TEST_F(Sources, ComeBeforeExternalLinkage) {
  use(IMAGE_OF_BOTH);
  a_.kernel(&a_unnamed, "_ZN32_GLOBAL__N__" A_CU "7unnamedEPi");
  a_.kernel(&plain, "_Z5plainPi");
  a_.kernel(&a_same, "_Z4samePi");
  EXPECT_EQ(1, result_of(&a_same));
  EXPECT_EQ(52, result_of(&plain));
}

}  // namespace
