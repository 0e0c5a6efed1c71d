// Operands that are not there: the work does nothing, and the device reports it as after a kernel.
#include <array>
#include <string>

#include "tests/host/mublasLt/with_descriptors.h"

namespace {

using host_tests::Layout;
using host_tests::Matmul;

constexpr int kN = 8;
constexpr std::size_t kBytes = sizeof(float) * kN * kN;
constexpr float kTwo = 2;

class LtIllegalAddress : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mublasLtCreate(&handle_), MUBLAS_STATUS_SUCCESS); }
  void TearDown() override {
    EXPECT_EQ(mublasLtDestroy(handle_), MUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(musaDeviceReset(), musaSuccess);
  }
  static float* allocate() {
    void* memory = nullptr;
    EXPECT_EQ(musaMalloc(&memory, kBytes), musaSuccess);
    EXPECT_EQ(musaMemset(memory, 0, kBytes), musaSuccess);
    return static_cast<float*>(memory);
  }
  static void expect_fault(const std::string& what) {
    EXPECT_EQ(musaDeviceSynchronize(), musaErrorIllegalAddress) << what;
    EXPECT_EQ(musaDeviceReset(), musaSuccess) << what;
  }

  const Layout layout_{MUSA_R_32F, kN, kN, kN};
  mublasLtHandle_t handle_ = nullptr;
};

TEST_F(LtIllegalAddress, mublasLtMatmul) {
  for (int bad = -1; bad < 8; ++bad) {
    Matmul matmul(MUBLAS_COMPUTE_32F, MUSA_R_32F);
    std::array<float*, 8> memory{};
    for (float*& each : memory) each = allocate();
    if (bad % 2 == 0) {
      memory[bad] += kN;  // the end is missing
    }
    if (bad % 2 == 1) {
      EXPECT_EQ(musaFree(memory[bad]), musaSuccess);
    }
    if (bad >= 4) {
      matmul.set(MUBLASLT_MATMUL_DESC_EPILOGUE, MUBLASLT_EPILOGUE_GELU_AUX_BIAS);
      matmul.set(MUBLASLT_MATMUL_DESC_BIAS_POINTER,
                 bad == 4 ? memory[4] + kN * (kN - 1) : memory[5]);
      matmul.set(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, bad == 7 ? memory[7] : memory[6]);
      matmul.set(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{kN});
    }
    EXPECT_EQ(mublasLtMatmul(handle_, matmul.get(), &kTwo, memory[0], layout_.get(), memory[1],
                             layout_.get(), &kTwo, memory[2], layout_.get(), memory[3],
                             layout_.get(), nullptr, nullptr, 0, nullptr),
              MUBLAS_STATUS_SUCCESS)
        << bad;
    if (bad < 0) {
      EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
    } else {
      expect_fault("operand " + std::to_string(bad));
    }
  }
}

TEST_F(LtIllegalAddress, mublasLtMatrixTransform) {
  mublasLtMatrixTransformDesc_t description = nullptr;
  ASSERT_EQ(mublasLtMatrixTransformDescCreate(&description, MUSA_R_32F), MUBLAS_STATUS_SUCCESS);
  for (int bad = 0; bad < 3; ++bad) {
    std::array<float*, 3> memory{allocate(), allocate(), allocate()};
    memory[bad] += 1;
    EXPECT_EQ(mublasLtMatrixTransform(handle_, description, &kTwo, memory[0], layout_.get(), &kTwo,
                                      memory[1], layout_.get(), memory[2], layout_.get(), nullptr),
              MUBLAS_STATUS_SUCCESS);
    expect_fault("operand " + std::to_string(bad));
  }
  EXPECT_EQ(mublasLtMatrixTransformDescDestroy(description), MUBLAS_STATUS_SUCCESS);
}

}  // namespace
