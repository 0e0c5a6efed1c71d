// Arithmetic of the functions that compute small matrices on the host. Without libstdc++.
#pragma once

namespace torchada::batched {

template <typename Real>
struct Complex {
  Real re, im;
};

template <typename Real>
Real absolute(Real number) {
  return number < 0 ? -number : number;
}

// What orders pivots, as in LAPACK.
inline float size_of(float number) { return absolute(number); }
inline double size_of(double number) { return absolute(number); }
template <typename Real>
Real size_of(const Complex<Real>& number) {
  return absolute(number.re) + absolute(number.im);
}

template <typename Real>
Complex<Real> operator*(const Complex<Real>& a, const Complex<Real>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <typename Real>
Complex<Real> operator+(const Complex<Real>& a, const Complex<Real>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <typename Real>
Complex<Real> operator-(const Complex<Real>& a, const Complex<Real>& b) {
  return {a.re - b.re, a.im - b.im};
}
// Smith's way, in which no square overflows.
template <typename Real>
Complex<Real> operator/(const Complex<Real>& a, const Complex<Real>& b) {
  if (absolute(b.re) >= absolute(b.im)) {
    const Real ratio = b.im / b.re;
    const Real whole = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / whole, (a.im - a.re * ratio) / whole};
  }
  const Real ratio = b.re / b.im;
  const Real whole = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / whole, (a.im * ratio - a.re) / whole};
}

inline void set(float* number, int value) { *number = static_cast<float>(value); }
inline void set(double* number, int value) { *number = value; }
template <typename Real>
void set(Complex<Real>* number, int value) {
  *number = {static_cast<Real>(value), 0};
}

}  // namespace torchada::batched
