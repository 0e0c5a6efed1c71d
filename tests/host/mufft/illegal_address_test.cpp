// Memory that is not there: the work leaves it alone, and the next synchronisation reports it.
#include <mufftXt.h>

#include <string>

#include "tests/host/mufft/with_plan.h"

namespace mufft_tests {
namespace {

constexpr int kTransformLength = 16;
constexpr int kTransforms = 3;

class MufftIllegalAddress : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(musaDeviceReset(), musaSuccess); }

  static char* allocate(std::size_t bytes) {
    void* memory = nullptr;
    EXPECT_EQ(musaMalloc(&memory, bytes), musaSuccess);
    EXPECT_EQ(musaMemset(memory, 0, bytes), musaSuccess);
    return static_cast<char*>(memory);
  }
  static char* freed(std::size_t bytes) {
    char* const memory = allocate(bytes);
    EXPECT_EQ(musaFree(memory), musaSuccess);
    return memory;
  }
  static mufftHandle made(mufftType type) {
    mufftHandle plan = nullptr;
    EXPECT_EQ(mufftPlan1d(&plan, kTransformLength, type, kTransforms), MUFFT_SUCCESS);
    return plan;
  }
  static void expect_fault(const std::string& what) {
    EXPECT_EQ(musaDeviceSynchronize(), musaErrorIllegalAddress) << what;
    EXPECT_EQ(musaDeviceReset(), musaSuccess) << what;
    static_cast<void>(musaGetLastError());
  }
};

struct Sides {
  mufftType type;
  std::size_t in, out;  // bytes
};

constexpr std::size_t kComplexes = kTransformLength * kTransforms * 8;
constexpr std::size_t kHalves = (kTransformLength / 2 + 1) * kTransforms * 8;
constexpr std::size_t kReals = kTransformLength * kTransforms * 4;
constexpr Sides kSides[] = {
    {MUFFT_C2C, kComplexes, kComplexes},  {MUFFT_R2C, kReals, kHalves},
    {MUFFT_C2R, kHalves, kReals},         {MUFFT_Z2Z, 2 * kComplexes, 2 * kComplexes},
    {MUFFT_D2Z, 2 * kReals, 2 * kHalves}, {MUFFT_Z2D, 2 * kHalves, 2 * kReals},
};

TEST_F(MufftIllegalAddress, NothingIsReportedForMemoryThatIsThere) {
  for (const Sides& sides : kSides) {
    const mufftHandle plan = made(sides.type);
    EXPECT_EQ(mufftXtExec(plan, allocate(sides.in), allocate(sides.out), MUFFT_FORWARD),
              MUFFT_SUCCESS);
    EXPECT_EQ(musaDeviceSynchronize(), musaSuccess) << sides.type;
    EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
  }
}

TEST_F(MufftIllegalAddress, OfFreedMemory) {
  for (const Sides& sides : kSides) {
    const mufftHandle plan = made(sides.type);
    const std::string name = "type " + std::to_string(sides.type);
    EXPECT_EQ(mufftXtExec(plan, freed(sides.in), allocate(sides.out), MUFFT_FORWARD),
              MUFFT_SUCCESS);
    expect_fault(name + ", input");
    EXPECT_EQ(mufftXtExec(plan, allocate(sides.in), freed(sides.out), MUFFT_FORWARD),
              MUFFT_SUCCESS);
    expect_fault(name + ", output");
    EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
  }
}

// The last element of the last transform is beyond the end.
TEST_F(MufftIllegalAddress, OfTooLittleMemory) {
  for (const Sides& sides : kSides) {
    const mufftHandle plan = made(sides.type);
    const std::string name = "type " + std::to_string(sides.type);
    EXPECT_EQ(mufftXtExec(plan, allocate(sides.in - 1), allocate(sides.out), MUFFT_FORWARD),
              MUFFT_SUCCESS);
    expect_fault(name + ", input");
    EXPECT_EQ(mufftXtExec(plan, allocate(sides.in), allocate(sides.out - 1), MUFFT_FORWARD),
              MUFFT_SUCCESS);
    expect_fault(name + ", output");
    EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
  }
}

// In place, the rows of real numbers have room for the complex ones.
TEST_F(MufftIllegalAddress, OfTooLittleMemoryInPlace) {
  const mufftHandle plan = made(MUFFT_R2C);
  char* memory = allocate(kHalves);
  EXPECT_EQ(mufftXtExec(plan, memory, memory, MUFFT_FORWARD), MUFFT_SUCCESS);
  EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
  memory = allocate(kHalves - 1);
  EXPECT_EQ(mufftXtExec(plan, memory, memory, MUFFT_FORWARD), MUFFT_SUCCESS);
  expect_fault("in place");
  EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
}

TEST_F(MufftIllegalAddress, OfTheWorkArea) {
  const mufftHandle plan = made(MUFFT_C2C);
  std::size_t bytes = 0;
  ASSERT_EQ(mufftGetSize(plan, &bytes), MUFFT_SUCCESS);
  EXPECT_EQ(mufftSetWorkArea(plan, freed(bytes)), MUFFT_SUCCESS);
  char* const memory = allocate(kComplexes);
  EXPECT_EQ(mufftXtExec(plan, memory, memory, MUFFT_FORWARD), MUFFT_SUCCESS);
  expect_fault("work area");
  EXPECT_EQ(mufftDestroy(plan), MUFFT_SUCCESS);
}

}  // namespace
}  // namespace mufft_tests
