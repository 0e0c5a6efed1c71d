#pragma once

#include <library_types.h>
#include <narrow/elements.h>

#include <array>
#include <cstring>

namespace host_mublaslt {

// alpha or beta of a call: a host scalar is read while the call is made, a device scalar when the
// stream reaches it.
class Scalar {
 public:
  Scalar(bool on_host, musaDataType_t type, const void* pointer)
      : type_(type), device_(on_host ? nullptr : pointer) {
    if (on_host) std::memcpy(bytes_.data(), pointer, host_narrow::element_size(type));
  }

  template <typename Number>
  Number value() const {
    const void* const data = device_ != nullptr ? device_ : bytes_.data();
    return host_narrow::load<Number>(type_, data, 0);
  }

  // Known to be 0 already now.
  bool is_zero() const {
    if (device_ != nullptr) return false;
    return value<std::complex<double>>() == std::complex<double>{};
  }

 private:
  musaDataType_t type_;
  const void* device_;
  alignas(16) std::array<unsigned char, 16> bytes_{};
};

}  // namespace host_mublaslt
