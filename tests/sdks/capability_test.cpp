// The compute capability set by TORCHADA_COMPUTE_CAPABILITY appears in attributes and properties.
// SDKS_CAPABILITY is the expected value (ten times the major, plus the minor), or unset.
#include "tests/sdks/sdk.h"

namespace {

int attribute(cudaDeviceAttr which) {
  int value = -1;
  EXPECT_OK(cudaDeviceGetAttribute(&value, which, 1));
  return value;
}

TEST(Capability, cudaDeviceGetAttribute_and_cudaGetDeviceProperties_agree) {
  cudaDeviceProp properties{};
  ASSERT_OK(properties_of(&properties, 1));
  EXPECT_EQ(properties.major, attribute(cudaDevAttrComputeCapabilityMajor));
  EXPECT_EQ(properties.minor, attribute(cudaDevAttrComputeCapabilityMinor));
  const char* wanted = std::getenv("SDKS_CAPABILITY");
  const int told = 10 * properties.major + properties.minor;
  if (wanted == nullptr) {
    EXPECT_LT(told, 40);  // MUSA's own
    EXPECT_GT(told, 20);
  } else {
    EXPECT_EQ(std::atoi(wanted), told);
  }
#if CUDA_MAJOR == 12
  cudaDeviceProp old{};
  ASSERT_OK(cudaGetDeviceProperties(&old, 1));
  // In CUDA 11's struct they are at offsets 360 and 364.
  int major = 0, minor = 0;
  std::memcpy(&major, reinterpret_cast<const char*>(&old) + 360, sizeof major);
  std::memcpy(&minor, reinterpret_cast<const char*>(&old) + 364, sizeof minor);
  EXPECT_EQ(properties.major, major);
  EXPECT_EQ(properties.minor, minor);
#endif
}

TEST(Capability, cudaDeviceGetAttribute_tells_the_rest_as_it_is) {
  EXPECT_GT(attribute(cudaDevAttrMultiProcessorCount), 0);
  int value = -1;
  EXPECT_ERROR(cudaErrorInvalidDevice,
               cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 9));
  EXPECT_EQ(-1, value);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaDeviceGetAttribute(nullptr, cudaDevAttrComputeCapabilityMajor, 0));
}

}  // namespace
