#pragma once

#include "src/host/mublas/context.h"

namespace host_mublas {

// alpha or beta of a call. A host scalar is read during the call, a device scalar when the stream
// reaches the work.
template <typename T>
class Scalar {
 public:
  Scalar(const Settings& settings, const T* pointer)
      : device_(settings.scalars_on_host() ? nullptr : pointer),
        value_(settings.scalars_on_host() ? *pointer : T{}) {}

  // What the computation reads.
  host::Operand operand() const { return host::array(device_, device_ == nullptr ? 0 : 1); }
  T value() const { return device_ ? *device_ : value_; }

  // Whether the value is already known and equals `value`.
  bool is(T value) const { return !device_ && value_ == value; }

 private:
  const T* device_;
  T value_;
};

}  // namespace host_mublas
