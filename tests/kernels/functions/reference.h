// What device functions compute, by MPFR, where MPFR has no function of its own.
#pragma once

#include <mpfr.h>

#include <initializer_list>

namespace reference {

constexpr mpfr_prec_t kBits = 400;

// A number of 400 bits. Its value is what is not rounded yet.
class Number {
 public:
  Number() { mpfr_init2(value_, kBits); }
  explicit Number(double x) : Number() { mpfr_set_d(value_, x, MPFR_RNDN); }
  explicit Number(mpfr_srcptr x) : Number() { mpfr_set(value_, x, MPFR_RNDN); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

inline int sinpi_or_cospi(mpfr_ptr out, mpfr_srcptr x, bool sine) {
  Number turned(x), two(2);
  mpfr_fmod(turned, turned, two, MPFR_RNDN);
  // Exact where it is 0 or 1.
  Number twice(static_cast<mpfr_srcptr>(turned));
  mpfr_mul_2ui(twice, twice, 1, MPFR_RNDN);
  if (mpfr_integer_p(twice) != 0) {
    const long quarter = ((mpfr_get_si(twice, MPFR_RNDN) + (sine ? 0 : 1)) % 4 + 4) % 4;
    mpfr_set_si(out, quarter == 1 ? 1 : quarter == 3 ? -1 : 0, MPFR_RNDN);
    if (sine && quarter % 2 == 0) mpfr_setsign(out, out, mpfr_signbit(x), MPFR_RNDN);
    return 0;
  }
  Number pi;
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_mul(turned, turned, pi, MPFR_RNDN);
  return sine ? mpfr_sin(out, turned, MPFR_RNDN) : mpfr_cos(out, turned, MPFR_RNDN);
}
inline int sinpi_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  return sinpi_or_cospi(out, x, true);
}
inline int cospi_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  return sinpi_or_cospi(out, x, false);
}

// The series of Bessel's I.
inline int bessel_i(mpfr_ptr out, mpfr_srcptr x, unsigned long order) {
  if (mpfr_number_p(x) == 0) {
    return order == 0 ? mpfr_abs(out, x, MPFR_RNDN) : mpfr_set(out, x, MPFR_RNDN);
  }
  Number square(x), term(1), sum;
  mpfr_sqr(square, square, MPFR_RNDN);
  mpfr_div_2ui(square, square, 2, MPFR_RNDN);
  if (order == 1) mpfr_div_2ui(term, x, 1, MPFR_RNDN);
  mpfr_set(sum, term, MPFR_RNDN);
  for (unsigned long k = 1; k < 1000; ++k) {
    mpfr_mul(term, term, square, MPFR_RNDN);
    mpfr_div_ui(term, term, k * (k + order), MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  }
  return mpfr_set(out, sum, MPFR_RNDN);
}
inline int bessel_i0_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return bessel_i(out, x, 0); }
inline int bessel_i1_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return bessel_i(out, x, 1); }

// Newton's steps for erfc(x) = y; from the left each is too small.
inline int erfcinv_of(mpfr_ptr out, mpfr_srcptr y, mpfr_rnd_t) {
  if (mpfr_cmp_ui(y, 1) > 0) {
    Number other(2);
    mpfr_sub(other, other, y, MPFR_RNDN);
    erfcinv_of(out, other, MPFR_RNDN);
    return mpfr_neg(out, out, MPFR_RNDN);
  }
  if (mpfr_zero_p(y) != 0) return mpfr_set_inf(out, 1), 0;
  if (mpfr_nan_p(y) != 0 || mpfr_sgn(y) < 0) return mpfr_set_nan(out), 0;
  Number x(0.0), step, slope, pi;
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_sqrt(pi, pi, MPFR_RNDN);
  for (int i = 0; i < 2000; ++i) {
    mpfr_sqr(slope, x, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_mul(slope, slope, pi, MPFR_RNDN);
    mpfr_erfc(step, x, MPFR_RNDN);
    mpfr_sub(step, step, y, MPFR_RNDN);
    mpfr_mul(step, step, slope, MPFR_RNDN);
    mpfr_div_2ui(step, step, 1, MPFR_RNDN);
    mpfr_add(x, x, step, MPFR_RNDN);
    if (mpfr_zero_p(step) != 0 ||
        (mpfr_zero_p(x) == 0 && mpfr_get_exp(step) < mpfr_get_exp(x) - 200)) {
      break;
    }
  }
  return mpfr_set(out, x, MPFR_RNDN);
}
inline int erfinv_of(mpfr_ptr out, mpfr_srcptr y, mpfr_rnd_t) {
  if (mpfr_zero_p(y) == 0 && mpfr_number_p(y) != 0 && mpfr_get_exp(y) < -60) {
    mpfr_const_pi(out, MPFR_RNDN);
    mpfr_sqrt(out, out, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    return mpfr_mul(out, out, y, MPFR_RNDN);
  }
  if (mpfr_zero_p(y) != 0) return mpfr_set(out, y, MPFR_RNDN);
  Number other(1);
  mpfr_sub(other, other, y, MPFR_RNDN);
  return erfcinv_of(out, other, MPFR_RNDN);
}
inline int erfcx_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  if (mpfr_inf_p(x) != 0 && mpfr_sgn(x) > 0) return mpfr_set_zero(out, 1), 0;
  Number square(x), tail;
  mpfr_sqr(square, square, MPFR_RNDN);
  mpfr_exp(square, square, MPFR_RNDN);
  mpfr_erfc(tail, x, MPFR_RNDN);
  return mpfr_mul(out, square, tail, MPFR_RNDN);
}
inline int normcdf_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  Number scaled(x), root(2);
  mpfr_sqrt(root, root, MPFR_RNDN);
  mpfr_div(scaled, scaled, root, MPFR_RNDN);
  mpfr_neg(scaled, scaled, MPFR_RNDN);
  mpfr_erfc(scaled, scaled, MPFR_RNDN);
  return mpfr_div_2ui(out, scaled, 1, MPFR_RNDN);
}
inline int normcdfinv_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  Number twice(x), root(2), made;
  mpfr_mul_2ui(twice, twice, 1, MPFR_RNDN);
  erfcinv_of(made, twice, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN);
  mpfr_mul(made, made, root, MPFR_RNDN);
  return mpfr_neg(out, made, MPFR_RNDN);
}
inline int lgamma_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  int sign = 0;
  return mpfr_lgamma(out, &sign, x, MPFR_RNDN);
}
inline int reciprocal_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  return mpfr_ui_div(out, 1, x, MPFR_RNDN);
}
inline int rsqrt_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  mpfr_sqrt(out, x, MPFR_RNDN);
  return mpfr_ui_div(out, 1, out, MPFR_RNDN);
}
inline int copysign_of(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t) {
  const int sign = mpfr_nan_p(y) != 0 ? 0 : mpfr_signbit(y);  // MPFR's NaN has none
  return mpfr_setsign(out, x, sign, MPFR_RNDN);
}
inline int rcbrt_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  mpfr_cbrt(out, x, MPFR_RNDN);
  return mpfr_ui_div(out, 1, out, MPFR_RNDN);
}
inline int saturated_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  if (mpfr_nan_p(x) != 0 || mpfr_cmp_ui(x, 0) <= 0) return mpfr_set_zero(out, 1), 0;
  return mpfr_cmp_ui(x, 1) > 0 ? mpfr_set_ui(out, 1, MPFR_RNDN) : mpfr_set(out, x, MPFR_RNDN);
}
inline int fraction_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  mpfr_set(out, x, MPFR_RNDN);
  return mpfr_regular_p(x) != 0 ? mpfr_set_exp(out, 0) : 0;
}
inline int exponent_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  if (mpfr_number_p(x) == 0) return mpfr_set(out, x, MPFR_RNDN);
  return mpfr_set_si(out, mpfr_zero_p(x) != 0 ? 0 : mpfr_get_exp(x), MPFR_RNDN);
}
inline int ilogb_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  return mpfr_number_p(x) == 0 ? mpfr_abs(out, x, MPFR_RNDN)
                               : mpfr_set_si(out, mpfr_get_exp(x) - 1, MPFR_RNDN);
}
inline int jn3_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_jn(out, 3, x, MPFR_RNDN); }
inline int yn3_of(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) { return mpfr_yn(out, 3, x, MPFR_RNDN); }
inline int times_32(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t) {
  return mpfr_mul_2ui(out, x, 5, MPFR_RNDN);
}

inline int norm(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, std::initializer_list<double> others,
                bool inverse) {
  mpfr_hypot(out, x, y, MPFR_RNDN);
  for (const double other : others) {
    Number next(other);
    mpfr_hypot(out, out, next, MPFR_RNDN);
  }
  return inverse ? mpfr_ui_div(out, 1, out, MPFR_RNDN) : 0;
}
inline int rhypot_of(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t) {
  return norm(out, x, y, {}, true);
}
inline int norm3d_of(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t) {
  return norm(out, x, y, {1}, false);
}
inline int norm4d_of(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t) {
  return norm(out, x, y, {1, 2}, false);
}
inline int rnorm3d_of(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t) {
  return norm(out, x, y, {1}, true);
}
inline int rnorm4d_of(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t) {
  return norm(out, x, y, {1, 2}, true);
}

}  // namespace reference
