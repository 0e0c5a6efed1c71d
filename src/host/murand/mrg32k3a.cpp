#include "src/host/murand/mrg32k3a.h"

#include <cstddef>

namespace host_murand {
namespace {

using Vector = Mrg32k3a::Vector;
using Matrix = std::array<Vector, 3>;

constexpr std::uint64_t kModulus1 = Mrg32k3a::kModulus;
constexpr std::uint64_t kModulus2 = 4294944443;
constexpr std::uint64_t kA12 = 1403580;
constexpr std::uint64_t kA13 = kModulus1 - 810728;
constexpr std::uint64_t kA21 = 527612;
constexpr std::uint64_t kA23 = kModulus2 - 1370589;
constexpr int kLaneDistance = 76;

constexpr Matrix kStep1 = {{{0, 1, 0}, {0, 0, 1}, {kA13, kA12, 0}}};
constexpr Matrix kStep2 = {{{0, 1, 0}, {0, 0, 1}, {kA23, 0, kA21}}};

// Each product is below the modulus before it is added, so the sum of three does not overflow.
Vector apply(const Matrix& matrix, const Vector& vector, std::uint64_t modulus) {
  Vector result{};
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += matrix[i][k] * vector[k] % modulus;
    result[i] = sum % modulus;
  }
  return result;
}

Matrix square(const Matrix& matrix, std::uint64_t modulus) {
  Matrix result{};
  for (std::size_t column = 0; column < 3; ++column) {
    const Vector image =
        apply(matrix, {matrix[0][column], matrix[1][column], matrix[2][column]}, modulus);
    for (std::size_t i = 0; i < 3; ++i) result[i][column] = image[i];
  }
  return result;
}

// The matrix of 2^exponent steps.
Matrix power(Matrix matrix, int exponent, std::uint64_t modulus) {
  for (int i = 0; i < exponent; ++i) matrix = square(matrix, modulus);
  return matrix;
}

Vector skip(Matrix matrix, Vector vector, std::uint64_t steps, std::uint64_t modulus) {
  for (; steps != 0; steps >>= 1) {
    if (steps & 1U) vector = apply(matrix, vector, modulus);
    matrix = square(matrix, modulus);
  }
  return vector;
}

}  // namespace

// Seed 0 is the state of the paper's examples. Other seeds scale it with their halves.
void Mrg32k3a::start(const Origin& origin) {
  const std::uint64_t seed = origin.seed;
  const std::uint64_t row = origin.offset / kLanes;
  Vector first = {12345, 12345, 12345};
  Vector second = first;
  if (seed != 0) {
    const std::uint64_t low = static_cast<std::uint32_t>(seed) ^ 0x55555555U;
    const std::uint64_t high = static_cast<std::uint32_t>(seed >> 32) ^ 0xAAAAAAAAU;
    for (std::size_t i = 0; i < 3; ++i) {
      first[i] = (i == 1 ? high : low) * first[i] % kModulus1;
      second[i] = (i == 1 ? low : high) * second[i] % kModulus2;
    }
  }
  first = skip(kStep1, first, row, kModulus1);
  second = skip(kStep2, second, row, kModulus2);
  const Matrix next1 = power(kStep1, kLaneDistance, kModulus1);
  const Matrix next2 = power(kStep2, kLaneDistance, kModulus2);
  for (Lane& lane : lanes_) {
    for (std::size_t i = 0; i < 3; ++i) {
      lane.first[i] = static_cast<std::uint32_t>(first[i]);
      lane.second[i] = static_cast<std::uint32_t>(second[i]);
    }
    first = apply(next1, first, kModulus1);
    second = apply(next2, second, kModulus2);
  }
  std::uint32_t passed[kLanes];
  next<1>(0, origin.offset % kLanes, passed, 0);
}

template <int kWords>
void Mrg32k3a::next(std::size_t first, std::size_t count, std::uint32_t* out, std::size_t stride) {
  for (std::size_t i = 0; i < count; ++i) {
    auto& [a, b] = lanes_[first + i];
    for (int k = 0; k < kWords; ++k) {
      const std::uint64_t p = (kA12 * a[1] + kA13 * a[0] % kModulus1) % kModulus1;
      const std::uint64_t q = (kA21 * b[2] + kA23 * b[0] % kModulus2) % kModulus2;
      a[0] = a[1];
      a[1] = a[2];
      a[2] = static_cast<std::uint32_t>(p);
      b[0] = b[1];
      b[1] = b[2];
      b[2] = static_cast<std::uint32_t>(q);
      out[k * stride + i] = static_cast<std::uint32_t>(p > q ? p - q : p + kModulus1 - q);
    }
  }
}

template void Mrg32k3a::next<1>(std::size_t, std::size_t, std::uint32_t*, std::size_t);
template void Mrg32k3a::next<2>(std::size_t, std::size_t, std::uint32_t*, std::size_t);

}  // namespace host_murand
