#pragma once

#include "context.h"

namespace host_mublas {

// alpha or beta of a call: a host scalar is read while the call is made, a device scalar when the
// stream reaches it.
template <typename T>
class Scalar {
 public:
  Scalar(const Settings& settings, const T* pointer)
      : device_(settings.scalars_on_host() ? nullptr : pointer),
        value_(settings.scalars_on_host() ? *pointer : T{}) {}

  T value() const { return device_ ? *device_ : value_; }

  // Known to be `value` already now.
  bool is(T value) const { return !device_ && value_ == value; }

 private:
  const T* device_;
  T value_;
};

}  // namespace host_mublas
