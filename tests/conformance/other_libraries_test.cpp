// Random numbers and one rank of NCCL, which share devices and streams with the runtime.
#include "support.h"

namespace {

class Generator : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(CURAND_STATUS_SUCCESS,
              curandCreateGenerator(&generator_, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    seed(1234);
  }
  void TearDown() override { EXPECT_EQ(CURAND_STATUS_SUCCESS, curandDestroyGenerator(generator_)); }
  void seed(unsigned long long value) {
    EXPECT_EQ(CURAND_STATUS_SUCCESS, curandSetPseudoRandomGeneratorSeed(generator_, value));
    EXPECT_EQ(CURAND_STATUS_SUCCESS, curandSetGeneratorOffset(generator_, 0));
  }
  std::vector<float> uniform() {
    EXPECT_EQ(CURAND_STATUS_SUCCESS,
              curandGenerateUniform(generator_, static_cast<float*>(static_cast<void*>(memory_)),
                                    kCount));
    return numbers();
  }
  std::vector<float> numbers() {
    std::vector<float> values(kCount);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_OK(cudaMemcpy(values.data(), memory_, kCount * sizeof(float), cudaMemcpyDefault));
    return values;
  }
  static constexpr size_t kCount = 10000;
  Buffer memory_{kCount * sizeof(float)};
  curandGenerator_t generator_ = nullptr;
};

TEST_F(Generator, curandGenerateUniform_same_seed_same_numbers) {
  const auto first = uniform();
  double sum = 0;
  for (const float value : first) {
    ASSERT_GE(value, 0);
    ASSERT_LE(value, 1);
    sum += value;
  }
  EXPECT_NEAR(0.5, sum / kCount, 0.02);
  EXPECT_NE(first, uniform());
  seed(1234);
  EXPECT_EQ(first, uniform());
}

TEST_F(Generator, curandSetPseudoRandomGeneratorSeed_other_seed_other_numbers) {
  const auto first = uniform();
  seed(99);
  EXPECT_NE(first, uniform());
}

TEST_F(Generator, curandSetStream_generates_in_the_order_of_the_stream) {
  Stream stream;
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandSetStream(generator_, stream));
  Gate gate;
  gate.hold(stream);
  EXPECT_EQ(
      CURAND_STATUS_SUCCESS,
      curandGenerateUniform(generator_, static_cast<float*>(static_cast<void*>(memory_)), kCount));
  EXPECT_OK(cudaMemsetAsync(memory_, 0, kCount * sizeof(float), stream));
  gate.open();
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(std::vector<float>(kCount), numbers());
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
