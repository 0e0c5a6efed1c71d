#include "tests/host/mufft/reference.h"

#include <cstdint>
#include <numbers>
#include <random>
#include <utility>

namespace mufft_tests {
namespace {

// exp(direction * 2 pi i k / n) for every k.
std::vector<Wide> roots(std::size_t n, int direction) {
  std::vector<Wide> result(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                              static_cast<long double>(n);
    result[k] = {std::cos(angle), static_cast<long double>(direction) * std::sin(angle)};
  }
  return result;
}

// Without the checks for infinities that std::complex makes, which take most of the time.
void add_product(Wide* sum, const Wide& a, const Wide& b) {
  *sum +=
      Wide(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}

Wide element(const Wide* in, std::size_t pitch, const std::vector<Wide>& roots, std::size_t k) {
  Wide sum = 0;
  std::size_t power = 0;  // j * k modulo n
  for (std::size_t j = 0; j < roots.size(); ++j) {
    add_product(&sum, in[j * pitch], roots[power]);
    power += k;
    if (power >= roots.size()) power -= roots.size();
  }
  return sum;
}

}  // namespace

std::vector<Wide> reference_at(const std::vector<Wide>& in, const std::vector<int>& elements,
                               int direction) {
  const std::vector<Wide> powers = roots(in.size(), direction);
  std::vector<Wide> result;
  for (const int k : elements) {
    result.push_back(element(in.data(), 1, powers, static_cast<std::size_t>(k)));
  }
  return result;
}

std::vector<Wide> reference(std::vector<Wide> in, const Lengths& lengths, int direction) {
  std::size_t pitch = 1;
  for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
    const auto n = static_cast<std::size_t>(*length);
    const std::vector<Wide> powers = roots(n, direction);
    std::vector<Wide> out(in.size());
    for (std::size_t block = 0; block < in.size(); block += n * pitch) {
      for (std::size_t start = block; start < block + pitch; ++start) {
        for (std::size_t k = 0; k < n; ++k) {
          out[start + k * pitch] = element(&in[start], pitch, powers, k);
        }
      }
    }
    in = std::move(out);
    pitch *= n;
  }
  return in;
}

std::vector<Wide> half_rows(const std::vector<Wide>& in, int row) {
  std::vector<Wide> result;
  for (auto start = in.begin(); start != in.end(); start += row) {
    result.insert(result.end(), start, start + row / 2 + 1);
  }
  return result;
}

std::vector<Wide> whole_row(const std::vector<Wide>& half, int row) {
  std::vector<Wide> result = half;
  for (int k = row / 2 + 1; k < row; ++k) {
    result.push_back(std::conj(half[static_cast<std::size_t>(row - k)]));
  }
  return result;
}

std::vector<float> random_numbers(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<float> result(count);
  for (float& number : result) {
    number = static_cast<float>(static_cast<std::int32_t>(engine()) >> 8) * 0x1p-23F;
  }
  return result;
}

}  // namespace mufft_tests
