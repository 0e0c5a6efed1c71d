// cuRAND's device and host generators.
#include <cmath>
#include <limits>
#include <vector>

#include "tests/conformance/support.h"

namespace {

constexpr unsigned long long kSeed = 42;

class Made {
 public:
  Made(bool of_host, curandRngType_t type) {
    EXPECT_EQ(CURAND_STATUS_SUCCESS, of_host ? curandCreateGeneratorHost(&generator_, type)
                                             : curandCreateGenerator(&generator_, type));
    EXPECT_EQ(CURAND_STATUS_SUCCESS, curandSetPseudoRandomGeneratorSeed(generator_, kSeed));
    EXPECT_EQ(CURAND_STATUS_SUCCESS, curandSetGeneratorOffset(generator_, 0));
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() { EXPECT_EQ(CURAND_STATUS_SUCCESS, curandDestroyGenerator(generator_)); }
  operator curandGenerator_t() const { return generator_; }

 private:
  curandGenerator_t generator_ = nullptr;
};

constexpr curandRngType_t kTypes[] = {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_XORWOW,
                                      CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10};

// The same call on both kinds of generators must give the same numbers, in host and device memory.
template <typename Number, typename Generate>
void compare(curandRngType_t type, Generate generate) {
  constexpr size_t kCount = 1000;
  const Made device(false, type);
  const Made host(true, type);
  const Buffer buffer(kCount * sizeof(Number));
  std::vector<Number> expected(kCount), got(kCount + 1, Number(77));
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(CURAND_STATUS_SUCCESS,
              generate(device, static_cast<Number*>(static_cast<void*>(buffer)), kCount));
    ASSERT_OK(cudaMemcpy(expected.data(), buffer, kCount * sizeof(Number), cudaMemcpyDefault));
    ASSERT_EQ(CURAND_STATUS_SUCCESS, generate(host, got.data(), kCount));
    EXPECT_EQ(Number(77), got[kCount]);
    EXPECT_EQ(expected, std::vector<Number>(got.begin(), got.end() - 1));
    EXPECT_NE(expected[0], expected[1]);
  }
}

TEST(Generator, curandCreateGeneratorHost_gives_the_devices_numbers) {
  for (const curandRngType_t type : kTypes) {
    compare<unsigned>(type, curandGenerate);
    compare<float>(type, curandGenerateUniform);
    compare<double>(type, curandGenerateUniformDouble);
    compare<float>(type, [](curandGenerator_t generator, float* to, size_t count) {
      return curandGenerateNormal(generator, to, count, 5.F, 2.F);
    });
    compare<double>(type, [](curandGenerator_t generator, double* to, size_t count) {
      return curandGenerateNormalDouble(generator, to, count, 5., 2.);
    });
  }
}

// NVIDIA's log-normal numbers are exp() of its normal ones: with the same seed, and with any mean
// and deviation that normal numbers take.
template <typename Number, typename Normal, typename LogNormal>
void expect_exponentials(curandRngType_t type, Normal normal, LogNormal log_normal) {
  constexpr std::size_t kCount = 1000;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // Also results that are infinite, 0, denormal and not a number.
  const double settings[][2] = {{0, 1},    {0.5, 2}, {-3, 0},   {0, 300}, {1, -1}, {900, 0},
                                {-900, 0}, {-90, 5}, {-730, 5}, {nan, 1}, {0, nan}};
  for (const auto& [mean, deviation] : settings) {
    const Made one(true, type), other(true, type);
    std::vector<Number> numbers(kCount), got(kCount + 1, Number(77));
    const auto real_mean = static_cast<Number>(mean),
               real_deviation = static_cast<Number>(deviation);
    for (int round = 0; round < 2; ++round) {
      ASSERT_EQ(CURAND_STATUS_SUCCESS,
                normal(one, numbers.data(), kCount, real_mean, real_deviation));
      ASSERT_EQ(CURAND_STATUS_SUCCESS,
                log_normal(other, got.data(), kCount, real_mean, real_deviation));
      EXPECT_EQ(Number(77), got[kCount]);
      for (std::size_t i = 0; i < kCount; ++i) {
        const auto expected = static_cast<Number>(std::exp(static_cast<long double>(numbers[i])));
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(got[i]));
        } else if (std::isinf(expected)) {
          EXPECT_EQ(expected, got[i]);
        } else {
          const Number unit =
              std::nextafter(expected, std::numeric_limits<Number>::infinity()) - expected;
          EXPECT_NEAR(expected, got[i], unit) << numbers[i];
        }
      }
    }
  }
}

TEST(Generator, curandCreateGeneratorHost_and_curandGenerateLogNormal) {
  for (const curandRngType_t type : kTypes) {
    expect_exponentials<float>(type, curandGenerateNormal, curandGenerateLogNormal);
    expect_exponentials<double>(type, curandGenerateNormalDouble, curandGenerateLogNormalDouble);
  }
}

TEST(Generator, curandCreateGeneratorHost_and_bad_arguments_of_curandGenerateLogNormal) {
  const Made host(true, CURAND_RNG_PSEUDO_XORWOW), device(false, CURAND_RNG_PSEUDO_XORWOW);
  std::vector<float> numbers(4, 5);
  std::vector<double> doubles(4, 5);
  // As many as the normal numbers that they are made of, which come in pairs.
  EXPECT_EQ(CURAND_STATUS_LENGTH_NOT_MULTIPLE,
            curandGenerateLogNormal(host, numbers.data(), 3, 0, 1));
  EXPECT_EQ(CURAND_STATUS_LENGTH_NOT_MULTIPLE,
            curandGenerateLogNormalDouble(host, doubles.data(), 3, 0, 1));
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerateLogNormal(host, numbers.data(), 0, 0, 1));
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerateLogNormalDouble(host, doubles.data(), 0, 0, 1));
  EXPECT_EQ(CURAND_STATUS_OUT_OF_RANGE, curandGenerateLogNormal(host, nullptr, 2, 0, 1));
  EXPECT_EQ(CURAND_STATUS_OUT_OF_RANGE, curandGenerateLogNormalDouble(host, nullptr, 2, 0, 1));
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED,
            curandGenerateLogNormal(nullptr, numbers.data(), 2, 0, 1));
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED,
            curandGenerateLogNormalDouble(nullptr, doubles.data(), 2, 0, 1));
  EXPECT_EQ(std::vector<float>(4, 5), numbers);
  EXPECT_EQ(std::vector<double>(4, 5), doubles);
  // On a device nothing is known to make them.
  const Buffer buffer(4 * sizeof(double));
  EXPECT_EQ(
      CURAND_STATUS_INTERNAL_ERROR,
      curandGenerateLogNormal(device, static_cast<float*>(static_cast<void*>(buffer)), 2, 0, 1));
  EXPECT_EQ(CURAND_STATUS_INTERNAL_ERROR,
            curandGenerateLogNormalDouble(device, static_cast<double*>(static_cast<void*>(buffer)),
                                          2, 0, 1));
}

TEST(Generator, curandCreateGeneratorHost_ignores_streams_and_the_current_device) {
  const Made host(true, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  EXPECT_EQ(CURAND_STATUS_SUCCESS,
            curandSetStream(host, reinterpret_cast<cudaStream_t>(not_an_object)));
  std::vector<float> one(10), other(10);
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerateUniform(host, one.data(), 10));
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandSetPseudoRandomGeneratorSeed(host, kSeed));
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandSetGeneratorOffset(host, 0));
  ASSERT_OK(cudaSetDevice(1));
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerateUniform(host, other.data(), 10));
  int device = -1;
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT_EQ(1, device);
  ASSERT_OK(cudaSetDevice(0));
  EXPECT_EQ(one, other);
}

// A host generator made with another current device uses that device's memory.
TEST(Generator, curandCreateGeneratorHost_remembers_its_device) {
  constexpr size_t kCount = 1 << 20;
  std::vector<unsigned> numbers(kCount);
  ASSERT_OK(cudaSetDevice(1));
  const Made there(true, CURAND_RNG_PSEUDO_XORWOW);
  ASSERT_OK(cudaSetDevice(0));
  const Made here(true, CURAND_RNG_PSEUDO_XORWOW);
  // Use up this device's memory.
  std::vector<void*> taken;
  for (size_t size = size_t{1} << 40; size >= kCount; size /= 2) {
    void* memory = nullptr;
    while (cudaMalloc(&memory, size) == cudaSuccess) taken.push_back(memory);
  }
  cudaGetLastError();
  EXPECT_EQ(CURAND_STATUS_ALLOCATION_FAILED, curandGenerate(here, numbers.data(), kCount));
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerate(there, numbers.data(), kCount));
  EXPECT_NE(numbers[0], numbers[1]);
  for (void* memory : taken) EXPECT_OK(cudaFree(memory));
}

TEST(Generator, curandCreateGeneratorHost_bad_arguments) {
  curandGenerator_t generator = nullptr;
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED,
            curandCreateGeneratorHost(nullptr, CURAND_RNG_PSEUDO_XORWOW));
  for (const int type : {0, 99, 142, 200, 203, 400, 401}) {
    EXPECT_EQ(CURAND_STATUS_TYPE_ERROR,
              curandCreateGeneratorHost(&generator, static_cast<curandRngType_t>(type)));
    EXPECT_EQ(CURAND_STATUS_TYPE_ERROR,
              curandCreateGenerator(&generator, static_cast<curandRngType_t>(type)));
  }
  EXPECT_EQ(nullptr, generator);
  const Made host(true, CURAND_RNG_PSEUDO_XORWOW);
  unsigned number = 5;
  EXPECT_EQ(CURAND_STATUS_OUT_OF_RANGE, curandGenerate(host, nullptr, 1));
  EXPECT_EQ(CURAND_STATUS_OUT_OF_RANGE, curandGenerate(host, &number, SIZE_MAX));
  EXPECT_EQ(CURAND_STATUS_ALLOCATION_FAILED, curandGenerate(host, &number, SIZE_MAX / 8));
  EXPECT_OK(cudaGetLastError());
  EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerate(host, &number, 0));
  EXPECT_EQ(5U, number);
}

TEST(Generator, curandGenerate_of_none_is_not_initialized) {
  unsigned number = 0;
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED, curandGenerate(nullptr, &number, 1));
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED, curandSetStream(nullptr, nullptr));
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED, curandSetGeneratorOffset(nullptr, 0));
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED, curandSetPseudoRandomGeneratorSeed(nullptr, 0));
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED, curandDestroyGenerator(nullptr));
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED, curandGenerateSeeds(nullptr));
  EXPECT_EQ(CURAND_STATUS_NOT_INITIALIZED,
            curandSetGeneratorOrdering(nullptr, CURAND_ORDERING_PSEUDO_DEFAULT));
}

TEST(Generator, curandGenerateSeeds_and_orderings) {
  for (const bool of_host : {false, true}) {
    const Made generator(of_host, CURAND_RNG_PSEUDO_DEFAULT);
    EXPECT_EQ(CURAND_STATUS_SUCCESS, curandGenerateSeeds(generator));
    EXPECT_EQ(CURAND_STATUS_SUCCESS,
              curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT));
    EXPECT_EQ(CURAND_STATUS_SUCCESS,
              curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_BEST));
    for (const int ordering : {0, 102, 103, 104, 201}) {
      EXPECT_EQ(CURAND_STATUS_OUT_OF_RANGE,
                curandSetGeneratorOrdering(generator, static_cast<curandOrdering_t>(ordering)));
    }
  }
}

}  // namespace
