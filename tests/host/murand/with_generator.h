#pragma once

#include <gtest/gtest.h>
#include <murand.h>

#include <vector>

#include "tests/host/shared/device.h"

namespace host_tests {

// A generator with its own stream.
class OwnedGenerator {
 public:
  explicit OwnedGenerator(murandRngType_t type) {
    EXPECT_EQ(murandCreateGenerator(&generator_, type), MURAND_STATUS_SUCCESS);
    EXPECT_EQ(murandSetStream(generator_, stream_.get()), MURAND_STATUS_SUCCESS);
  }
  ~OwnedGenerator() { EXPECT_EQ(murandDestroyGenerator(generator_), MURAND_STATUS_SUCCESS); }
  OwnedGenerator(const OwnedGenerator&) = delete;
  OwnedGenerator& operator=(const OwnedGenerator&) = delete;

  murandGenerator_t get() const { return generator_; }
  const Stream& stream() const { return stream_; }

  void seed(unsigned long long seed) const {
    EXPECT_EQ(murandSetPseudoRandomGeneratorSeed(generator_, seed), MURAND_STATUS_SUCCESS);
  }
  void offset(unsigned long long offset) const {
    EXPECT_EQ(murandSetGeneratorOffset(generator_, offset), MURAND_STATUS_SUCCESS);
  }

  std::vector<unsigned> words(std::size_t n) const { return filled<unsigned>(n, murandGenerate); }
  std::vector<float> uniform(std::size_t n) const {
    return filled<float>(n, murandGenerateUniform);
  }
  std::vector<double> uniform_double(std::size_t n) const {
    return filled<double>(n, murandGenerateUniformDouble);
  }
  std::vector<float> normal(std::size_t n, float mean, float stddev) const {
    return filled<float>(n, murandGenerateNormal, mean, stddev);
  }
  std::vector<double> normal_double(std::size_t n, double mean, double stddev) const {
    return filled<double>(n, murandGenerateNormalDouble, mean, stddev);
  }

 private:
  template <typename T, typename Call, typename... Parameters>
  std::vector<T> filled(std::size_t n, Call call, Parameters... parameters) const {
    const DeviceArray<T> out{std::vector<T>(n)};
    EXPECT_EQ(call(generator_, out.data(), n, parameters...), MURAND_STATUS_SUCCESS);
    stream_.wait();
    return out.values();
  }

  Stream stream_;
  murandGenerator_t generator_ = nullptr;
};

}  // namespace host_tests
