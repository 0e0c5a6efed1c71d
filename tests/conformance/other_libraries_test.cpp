// cuRAND, and NCCL with one rank. Both share devices and streams with the runtime.
#include "tests/conformance/support.h"

namespace {

TEST(Generator, curandGetVersion_is_of_this_library) {
  int version = 0;
  int major = 0;
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGetVersion(&version));
  EXPECT_GT(version, 0);
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGetProperty(MAJOR_VERSION, &major));
  EXPECT_EQ(10, major);
}

TEST(Communicator, ncclAllReduce_of_one_rank_is_the_input) {
  ncclUniqueId id{};
  ncclComm_t communicator = nullptr;
  ASSERT_EQ(ncclSuccess, ncclGetUniqueId(&id));
  ASSERT_EQ(ncclSuccess, ncclCommInitRank(&communicator, 1, id, 0));
  int count = 0;
  int rank = -1;
  EXPECT_EQ(ncclSuccess, ncclCommCount(communicator, &count));
  EXPECT_EQ(1, count);
  EXPECT_EQ(ncclSuccess, ncclCommUserRank(communicator, &rank));
  EXPECT_EQ(0, rank);
  Stream stream;
  const Buffer in(400);
  const Buffer out(400);
  const std::vector<float> values(100, 1.5F);
  ASSERT_OK(cudaMemcpy(in, values.data(), 400, cudaMemcpyDefault));
  EXPECT_EQ(ncclSuccess, ncclAllReduce(in, out, 100, ncclFloat32, ncclSum, communicator, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  std::vector<float> result(100);
  ASSERT_OK(cudaMemcpy(result.data(), out, 400, cudaMemcpyDefault));
  EXPECT_EQ(values, result);
  EXPECT_EQ(ncclSuccess, ncclCommDestroy(communicator));
}

}  // namespace
