// cudaEventElapsedTime_v2, which CUDA 12 has in addition to the plain name and SDK 3.1 lacks.
#include "tests/sdks/sdk.h"

#if CUDA_MAJOR == 12
namespace {

TEST(Events, cudaEventElapsedTime_v2_tells_what_the_plain_name_tells) {
  const Stream stream;
  const Event from, to;
  EXPECT_OK(cudaEventRecord(from, stream));
  EXPECT_OK(cudaEventRecord(to, stream));
  EXPECT_OK(cudaEventSynchronize(to));
  float one = -1, other = -2;
  EXPECT_OK(cudaEventElapsedTime_v2(&one, from, to));
  EXPECT_OK(cudaEventElapsedTime(&other, from, to));
  EXPECT_GE(one, 0);
  EXPECT_EQ(one, other);
  EXPECT_ERROR(cudaErrorInvalidValue, cudaEventElapsedTime_v2(nullptr, from, to));
  EXPECT_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime_v2(&one, from, bad_event()));
}

}  // namespace
#endif
