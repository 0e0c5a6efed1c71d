#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/host/murand/with_generator.h"

namespace host_tests {

// The FNV-1a hash of the bytes.
template <typename T>
std::uint64_t hash_of(const std::vector<T>& values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const T& value : values) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  }
  return hash;
}

// Calls the function of this name for n numbers. Returns them as doubles (exact for all of them),
// and their hash.
inline std::vector<double> draw(const OwnedGenerator& generator, const std::string& function,
                                std::size_t n, double mean, double stddev, std::uint64_t* hash) {
  const auto result = [&](const auto& values) {
    if (hash != nullptr) *hash = hash_of(values);
    return std::vector<double>(values.begin(), values.end());
  };
  const auto narrow_mean = static_cast<float>(mean);
  const auto narrow_stddev = static_cast<float>(stddev);
  if (function == "murandGenerate") return result(generator.words(n));
  if (function == "murandGenerateUniform") return result(generator.uniform(n));
  if (function == "murandGenerateUniformDouble") return result(generator.uniform_double(n));
  if (function == "murandGenerateNormal") {
    return result(generator.normal(n, narrow_mean, narrow_stddev));
  }
  if (function == "murandGenerateNormalDouble") {
    return result(generator.normal_double(n, mean, stddev));
  }
  ADD_FAILURE() << "no function " << function;
  return {};
}

}  // namespace host_tests
