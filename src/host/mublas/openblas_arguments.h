// How OpenBLAS takes numbers, vectors and matrices.
#pragma once

#include <complex>
#include <cstddef>

namespace host_mublas {

// OpenBLAS takes real scalars by value and complex ones by address. The argument must live until
// the call ends, as a temporary argument does.
inline float scalar(const float& value) { return value; }
inline double scalar(const double& value) { return value; }
template <typename R>
const void* scalar(const std::complex<R>& value) {
  return &value;
}

// Column `j` of a matrix. The offset may exceed an int.
template <typename T>
T* column(T* matrix, int ld, int j) {
  return matrix + static_cast<std::ptrdiff_t>(ld) * j;
}

// A BLAS vector. With a negative increment its first element lies at the end.
template <typename T>
class Strided {
 public:
  Strided(T* data, int n, int increment)
      : first_(increment < 0 ? data - static_cast<std::ptrdiff_t>(n - 1) * increment : data),
        increment_(increment) {}
  T& operator[](int i) const { return first_[static_cast<std::ptrdiff_t>(i) * increment_]; }

 private:
  T* first_;
  std::ptrdiff_t increment_;
};

}  // namespace host_mublas
