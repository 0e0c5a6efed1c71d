// axpy, copy, swap, scal, dot, nrm2, asum, amax, amin and the rotations against the reference.
#include "tests/host/mublas/trial.h"

namespace blas_tests {
namespace {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

template <typename T, auto function>
void axpy(Trial& t) {
  const int n = t.random.size();
  Vector<T> x(t.random, n, t.random.source_increment()), y(t.random, n);
  const T alpha = t.random.factor<T>();
  for (int i = 0; i < n; ++i) {
    Sum<T> sum;
    sum.add(alpha, x.wide(i));
    sum.add(y.wide(i));
    y.storage.expect(y.index(i), sum);
  }
  t.run(
      [&] { return function(t.handle, n, t.scalar(alpha), x.device(), x.inc, y.device(), y.inc); });
  x.storage.compare();
  y.storage.compare();
}

template <typename T, auto function>
void copy(Trial& t) {
  const int n = t.random.size();
  Vector<T> x(t.random, n, t.random.source_increment()), y(t.random, n);
  for (int i = 0; i < n; ++i) y.storage.expect(y.index(i), {x.wide(i)});
  t.run([&] { return function(t.handle, n, x.device(), x.inc, y.device(), y.inc); });
  x.storage.compare();
  y.storage.compare();
}

template <typename T, auto function>
void swap(Trial& t) {
  const int n = t.random.size();
  Vector<T> x(t.random, n), y(t.random, n);
  for (int i = 0; i < n; ++i) {
    x.storage.expect(x.index(i), {y.wide(i)});
    y.storage.expect(y.index(i), {x.wide(i)});
  }
  t.run([&] { return function(t.handle, n, x.device(), x.inc, y.device(), y.inc); });
  x.storage.compare();
  y.storage.compare();
}

template <typename T, typename Alpha, auto function>
void scale(Trial& t) {
  const int n = t.random.size();
  Vector<T> x(t.random, n, t.random.positive_increment());
  const auto alpha = t.random.factor<Alpha>();
  for (int i = 0; i < n; ++i) {
    Sum<T> sum;
    sum.add(Wide<T>(Wide<Alpha>(alpha)), x.wide(i));
    x.storage.expect(x.index(i), sum);
  }
  t.run([&] { return function(t.handle, n, t.scalar(alpha), x.device(), x.inc); });
  x.storage.compare();
}
template <typename T, auto function>
void scal(Trial& t) {
  scale<T, T, function>(t);
}
template <typename T, auto function>
void real_scal(Trial& t) {
  scale<T, Real<T>, function>(t);
}

// 0 does not clear the vector: NaN and infinity times 0 are NaN.
template <typename T, typename Alpha, auto function>
void scale_by_zero(Trial& t) {
  const int n = t.random.between(1, 40), special = t.random.between(0, n - 1);
  Vector<T> x(t.random, n, t.random.positive_increment());
  x.at(special) = t.random.coin() ? not_a_number<T>() : T(std::numeric_limits<Real<T>>::infinity());
  t.run([&] { return function(t.handle, n, t.scalar(Alpha(0)), x.device(), x.inc); });
  x.storage.accept(x.indices());
  x.storage.compare();
  for (int i = 0; i < n; ++i) {
    const T number = x.at(i);
    EXPECT_TRUE(i == special ? number != number : number == T(0)) << number << " at " << i;
  }
}
template <typename T, auto function>
void scal_by_zero(Trial& t) {
  scale_by_zero<T, T, function>(t);
}
template <typename T, auto function>
void real_scal_by_zero(Trial& t) {
  scale_by_zero<T, Real<T>, function>(t);
}

template <typename T, auto function>
void dot_product(Trial& t, bool conjugated) {
  const int n = t.random.size();
  Vector<T> x(t.random, n, t.random.source_increment()), y(t.random, n);
  Sum<T> sum;
  for (int i = 0; i < n; ++i) sum.add(conjugated ? conjugate(x.wide(i)) : x.wide(i), y.wide(i));
  const auto got = t.results<Api<T>>({Api<T>{}, Api<T>{}}, [&](Api<T>* result) {
    return function(t.handle, n, x.device(), x.inc, y.device(), y.inc, result);
  });
  expect_near<T>(got[0], sum);
}
template <typename T, auto function>
void dot(Trial& t) {
  dot_product<T, function>(t, false);
}
template <typename T, auto function>
void dotc(Trial& t) {
  dot_product<T, function>(t, true);
}

template <typename T, auto function>
void nrm2(Trial& t) {
  const int n = t.random.size();
  Vector<T> x(t.random, n, t.random.positive_increment());
  const auto scale = t.random.scale<Real<T>>();
  long double squares = 0;
  for (int i = 0; i < n; ++i) {
    x.at(i) *= scale;
    squares += std::norm(std::complex<long double>(x.wide(i)));
  }
  Sum<Real<T>> norm;
  norm.add(std::sqrt(squares));
  norm.terms = n;
  const auto got = t.results<Real<T>>(
      {-1}, [&](Real<T>* result) { return function(t.handle, n, x.device(), x.inc, result); });
  expect_near<Real<T>>(got[0], norm);
}

template <typename T>
long double size_of(const Vector<T>& x, int i) {
  const std::complex<long double> number(x.wide(i));
  return std::abs(number.real()) + std::abs(number.imag());
}

template <typename T, auto function>
void asum(Trial& t) {
  const int n = t.random.size();
  Vector<T> x(t.random, n, t.random.positive_increment());
  Sum<Real<T>> sum;
  for (int i = 0; i < n; ++i) sum.add(size_of(x, i));
  const auto got = t.results<Real<T>>(
      {-1}, [&](Real<T>* result) { return function(t.handle, n, x.device(), x.inc, result); });
  expect_near<Real<T>>(got[0], sum);
}

template <typename T, auto function>
void find_best(Trial& t, bool largest) {
  const int n = t.random.size();
  Vector<T> x(t.random, n, t.random.positive_increment());
  // Small whole numbers, so that several are the best.
  for (int i = 0; i < n; ++i) x.at(i) = T(static_cast<Real<T>>(t.random.between(-4, 4)));
  int best = 0;
  for (int i = 1; i < n; ++i) {
    if (largest ? size_of(x, i) > size_of(x, best) : size_of(x, i) < size_of(x, best)) best = i;
  }
  const auto got = t.results<mublas_int>(
      {-1}, [&](mublas_int* result) { return function(t.handle, n, x.device(), x.inc, result); });
  EXPECT_EQ(got[0], n == 0 ? 0 : best + 1);
}
template <typename T, auto function>
void amax(Trial& t) {
  find_best<T, function>(t, true);
}
template <typename T, auto function>
void amin(Trial& t) {
  find_best<T, function>(t, false);
}

template <typename T, typename S, auto function>
void rotate(Trial& t) {
  const int n = t.random.size();
  Vector<T> x(t.random, n), y(t.random, n);
  const auto c = t.random.number<Real<T>>();
  const auto s = t.random.number<S>();
  const auto wide_s = Wide<T>(Wide<S>(s));
  for (int i = 0; i < n; ++i) {
    Sum<T> first, second;
    first.add(c, x.wide(i));
    first.add(wide_s, y.wide(i));
    second.add(c, y.wide(i));
    second.add(-conjugate(wide_s), x.wide(i));
    x.storage.expect(x.index(i), first);
    y.storage.expect(y.index(i), second);
  }
  t.run([&] {
    return function(t.handle, n, x.device(), x.inc, y.device(), y.inc, t.scalar(c), t.scalar(s));
  });
  x.storage.compare();
  y.storage.compare();
}
template <typename T, auto function>
void rot(Trial& t) {
  rotate<T, T, function>(t);
}
template <typename T, auto function>
void real_rot(Trial& t) {
  rotate<T, Real<T>, function>(t);
}

// c and s turn (a, b) into (r, 0).
template <typename T, auto function>
void rotg(Trial& t) {
  const auto scale = t.random.scale<Real<T>>();
  const T a = scale * t.random.factor<T>(), b = scale * t.random.factor<T>();
  struct Arguments {
    T a, b, s;
    Real<T> c;
  };
  const auto got = t.results<Arguments>({{a, b, T{}, 0}}, [&](Arguments* at) {
    return function(t.handle, reinterpret_cast<Api<T>*>(&at->a), reinterpret_cast<Api<T>*>(&at->b),
                    &at->c, reinterpret_cast<Api<T>*>(&at->s));
  })[0];
  const Wide<T> wide_a(a), wide_b(b), c(got.c), s(got.s);
  Sum<T> zero, r;
  zero.add(c, wide_b);
  zero.add(-conjugate(s), wide_a);
  EXPECT_LE(magnitude(zero.value), zero.tolerance());
  r.add(c, wide_a);
  r.add(s, wide_b);
  EXPECT_LE(magnitude(r.value - Wide<T>(got.a)), r.tolerance());
  if constexpr (!is_complex<T>) {
    // The one number from which c and s can be computed again.
    const T z = std::abs(a) > std::abs(b) ? got.s
                : a == 0 && b == 0        ? 0
                : got.c == 0              ? 1
                                          : 1 / got.c;
    Sum<T> same;
    same.add(z);
    EXPECT_LE(std::abs(Wide<T>(got.b) - z), same.tolerance());
  }
  Sum<Real<T>> one;
  one.add(std::norm(c));
  one.add(std::norm(s));
  EXPECT_LE(std::abs(one.value - 1), one.tolerance());
}

template <typename T, auto function>
void rotm(Trial& t) {
  const int n = t.random.size();
  Vector<T> x(t.random, n), y(t.random, n);
  std::vector<T> param;
  for (int i = 0; i < 5; ++i) param.push_back(t.random.number<T>());
  const T flag = param[0] = t.random.one_of<T>({-2, -1, 0, 1});
  // The flag says which elements of the matrix are implied.
  const T h11 = flag == -2 || flag == 0 ? 1 : param[1];
  const T h21 = flag == -2 ? 0 : flag == 1 ? -1 : param[2];
  const T h12 = flag == -2 ? 0 : flag == 1 ? 1 : param[3];
  const T h22 = flag == -2 || flag == 0 ? 1 : param[4];
  for (int i = 0; i < n; ++i) {
    Sum<T> first, second;
    first.add(h11, x.wide(i));
    first.add(h12, y.wide(i));
    second.add(h21, x.wide(i));
    second.add(h22, y.wide(i));
    x.storage.expect(x.index(i), first);
    y.storage.expect(y.index(i), second);
  }
  t.run([&] {
    return function(t.handle, n, x.device(), x.inc, y.device(), y.inc, t.scalars(param));
  });
  x.storage.compare();
  y.storage.compare();
}

// The matrix that is made turns (x, y), weighted, into (x', 0), and keeps the weighted length.
template <typename T, auto function>
void rotmg(Trial& t) {
  struct Arguments {
    T d1, d2, x, y, param[5];
  };
  const auto weight = [&] { return std::abs(t.random.number<T>()) + T(0.5); };
  const Arguments before{weight(), weight(), t.random.number<T>(), t.random.number<T>(), {}};
  const auto after = t.results<Arguments>({before}, [&](Arguments* at) {
    return function(t.handle, &at->d1, &at->d2, &at->x, &at->y, at->param);
  })[0];
  const T flag = after.param[0];
  ASSERT_TRUE(flag == -1 || flag == 0 || flag == 1);
  const T h11 = flag == 0 ? 1 : after.param[1], h21 = flag == 1 ? -1 : after.param[2];
  const T h12 = flag == 1 ? 1 : after.param[3], h22 = flag == 0 ? 1 : after.param[4];
  Sum<T> first, second, length;
  first.add(h11, before.x);
  first.add(h12, before.y);
  second.add(h21, before.x);
  second.add(h22, before.y);
  EXPECT_LE(std::abs(first.value - after.x), first.tolerance());
  EXPECT_LE(std::abs(second.value), second.tolerance());
  length.add(before.d1, before.x, before.x);
  length.add(before.d2, before.y, before.y);
  EXPECT_LE(std::abs(length.value - static_cast<long double>(after.d1) * after.x * after.x),
            length.tolerance());
  EXPECT_EQ(after.y, before.y);
}

BLAS_VECTOR_FAMILY(Level1, Axpy, BLAS_CASE(axpy, float, mublasSaxpy),
                   BLAS_CASE(axpy, double, mublasDaxpy), BLAS_CASE(axpy, ComplexFloat, mublasCaxpy),
                   BLAS_CASE(axpy, ComplexDouble, mublasZaxpy));
BLAS_VECTOR_FAMILY(Level1, Copy, BLAS_CASE(copy, float, mublasScopy),
                   BLAS_CASE(copy, double, mublasDcopy), BLAS_CASE(copy, ComplexFloat, mublasCcopy),
                   BLAS_CASE(copy, ComplexDouble, mublasZcopy));
BLAS_VECTOR_FAMILY(Level1, Swap, BLAS_CASE(swap, float, mublasSswap),
                   BLAS_CASE(swap, double, mublasDswap), BLAS_CASE(swap, ComplexFloat, mublasCswap),
                   BLAS_CASE(swap, ComplexDouble, mublasZswap));
BLAS_VECTOR_FAMILY(Level1, Scal, BLAS_CASE(scal, float, mublasSscal),
                   BLAS_CASE(scal, double, mublasDscal), BLAS_CASE(scal, ComplexFloat, mublasCscal),
                   BLAS_CASE(scal, ComplexDouble, mublasZscal),
                   BLAS_CASE(real_scal, ComplexFloat, mublasCsscal),
                   BLAS_CASE(real_scal, ComplexDouble, mublasZdscal));
BLAS_FAMILY(Level1, ScalByZero, BLAS_CASE(scal_by_zero, float, mublasSscal),
            BLAS_CASE(scal_by_zero, double, mublasDscal),
            BLAS_CASE(scal_by_zero, ComplexFloat, mublasCscal),
            BLAS_CASE(scal_by_zero, ComplexDouble, mublasZscal),
            BLAS_CASE(real_scal_by_zero, ComplexFloat, mublasCsscal),
            BLAS_CASE(real_scal_by_zero, ComplexDouble, mublasZdscal));
BLAS_VECTOR_FAMILY(Level1, Dot, BLAS_CASE(dot, float, mublasSdot),
                   BLAS_CASE(dot, double, mublasDdot), BLAS_CASE(dot, ComplexFloat, mublasCdotu),
                   BLAS_CASE(dot, ComplexDouble, mublasZdotu),
                   BLAS_CASE(dotc, ComplexFloat, mublasCdotc),
                   BLAS_CASE(dotc, ComplexDouble, mublasZdotc));
BLAS_VECTOR_FAMILY(Level1, Nrm2, BLAS_CASE(nrm2, float, mublasSnrm2),
                   BLAS_CASE(nrm2, double, mublasDnrm2),
                   BLAS_CASE(nrm2, ComplexFloat, mublasScnrm2),
                   BLAS_CASE(nrm2, ComplexDouble, mublasDznrm2));
BLAS_VECTOR_FAMILY(Level1, Asum, BLAS_CASE(asum, float, mublasSasum),
                   BLAS_CASE(asum, double, mublasDasum),
                   BLAS_CASE(asum, ComplexFloat, mublasScasum),
                   BLAS_CASE(asum, ComplexDouble, mublasDzasum));
BLAS_VECTOR_FAMILY(Level1, Amax, BLAS_CASE(amax, float, mublasIsamax),
                   BLAS_CASE(amax, double, mublasIdamax),
                   BLAS_CASE(amax, ComplexFloat, mublasIcamax),
                   BLAS_CASE(amax, ComplexDouble, mublasIzamax));
BLAS_VECTOR_FAMILY(Level1, Amin, BLAS_CASE(amin, float, mublasIsamin),
                   BLAS_CASE(amin, double, mublasIdamin),
                   BLAS_CASE(amin, ComplexFloat, mublasIcamin),
                   BLAS_CASE(amin, ComplexDouble, mublasIzamin));
BLAS_VECTOR_FAMILY(Level1, Rot, BLAS_CASE(rot, float, mublasSrot),
                   BLAS_CASE(rot, double, mublasDrot), BLAS_CASE(rot, ComplexFloat, mublasCrot),
                   BLAS_CASE(rot, ComplexDouble, mublasZrot),
                   BLAS_CASE(real_rot, ComplexFloat, mublasCsrot),
                   BLAS_CASE(real_rot, ComplexDouble, mublasZdrot));
BLAS_FAMILY(Level1, Rotg, BLAS_CASE(rotg, float, mublasSrotg), BLAS_CASE(rotg, double, mublasDrotg),
            BLAS_CASE(rotg, ComplexFloat, mublasCrotg),
            BLAS_CASE(rotg, ComplexDouble, mublasZrotg));
BLAS_VECTOR_FAMILY(Level1, Rotm, BLAS_CASE(rotm, float, mublasSrotm),
                   BLAS_CASE(rotm, double, mublasDrotm));
BLAS_FAMILY(Level1, Rotmg, BLAS_CASE(rotmg, float, mublasSrotmg),
            BLAS_CASE(rotmg, double, mublasDrotmg));

}  // namespace
}  // namespace blas_tests
