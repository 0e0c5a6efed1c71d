#pragma once

#include <library_types.h>

#include <array>
#include <cstring>

#include "src/host/shared/narrow/elements.h"
#include "src/host/shared/operands.h"

namespace host_mublaslt {

// alpha or beta of a call. A host scalar is read during the call, a device scalar when the stream
// reaches the work.
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

  // What the computation reads.
  host::Operand operand() const {
    return host::elements(device_, host_narrow::element_size(type_), device_ == nullptr ? 0 : 1);
  }

  // Whether the value is already known to be 0.
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
