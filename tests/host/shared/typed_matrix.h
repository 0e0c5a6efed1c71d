// Matrices whose type is known only at run time, and products of two of them in double.
#pragma once

#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "src/host/shared/narrow/elements.h"
#include "tests/host/shared/device.h"

namespace host_tests {

using Complex = std::complex<double>;

inline bool is_complex(musaDataType_t type) { return type == MUSA_C_32F || type == MUSA_C_64F; }

// In device memory, with contiguous elements.
class TypedArray {
 public:
  TypedArray(musaDataType_t type, const std::vector<Complex>& values)
      : type_(type), size_(values.size()), bytes_(encoded(type, values)) {}

  void* data() const { return bytes_.data(); }
  musaDataType_t type() const { return type_; }

  std::vector<Complex> values() const {
    const auto bytes = bytes_.values();
    std::vector<Complex> result;
    for (std::size_t i = 0; i < size_; ++i) {
      result.push_back(
          host_narrow::load<Complex>(type_, bytes.data(), static_cast<std::int64_t>(i)));
    }
    return result;
  }
  std::vector<unsigned char> bytes() const { return bytes_.values(); }

 private:
  static std::vector<unsigned char> encoded(musaDataType_t type,
                                            const std::vector<Complex>& values) {
    std::vector<unsigned char> bytes(values.size() * host_narrow::element_size(type) + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      host_narrow::store(type, bytes.data(), static_cast<std::int64_t>(i), values[i]);
    }
    return bytes;
  }

  musaDataType_t type_;
  std::size_t size_;
  DeviceArray<unsigned char> bytes_;
};

// The number after storing it in the type.
inline Complex stored_as(musaDataType_t type, Complex value) {
  alignas(16) unsigned char bytes[16] = {};
  host_narrow::store(type, bytes, 0, value);
  return host_narrow::load<Complex>(type, bytes, 0);
}

// Small integers, which are exact in every type and in sums of any order.
inline std::vector<Complex> small_integers(musaDataType_t type, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Complex> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double real = static_cast<int>(random() % 9) - 4;
    const double imaginary = static_cast<int>(random() % 9) - 4;
    values.emplace_back(real, is_complex(type) ? imaginary : 0);
  }
  return values;
}

}  // namespace host_tests
