// Level 2: products of vectors added to a matrix.
#include "src/command/verify/probes/blas_levels.h"

namespace torchada::verify {
namespace {

constexpr int kM = 3;
constexpr int kN = 4;
constexpr int kIncX = 2;
constexpr int kIncY = 3;
constexpr int kLda = 6;

// Adds only the upper triangle of `update`.
template <typename T>
std::vector<T> added_above(const Dense<T>& update, std::vector<T> a, int lda, bool hermitian) {
  for (int j = 0; j < update.columns; ++j) {
    for (int i = 0; i <= j; ++i) {
      T& element = a[index_of(i, j, lda)];
      element += update(i, j);
      if (hermitian && i == j) element = T(std::real(element));
    }
  }
  return a;
}

}  // namespace

template <typename T>
void probe_updates(Probing& p) {
  using Real = typename Scalar<T>::Real;
  Blas blas(p);
  const std::string prefix = std::string("mublas") + letter<T>();
  const std::vector<T> a = numbers<T>(kLda * kN, 1);
  const std::vector<T> x = numbers<T>(kN * kIncX, 2);
  const std::vector<T> y = numbers<T>(kN * kIncY, 3);
  const T alpha = Scalar<T>::make(1.5, -0.5);
  const Real real_alpha = Real(1.5);
  const Dense<T> dx = strided(x, kN, kIncX);
  const Dense<T> dy = strided(y, kN, kIncY);
  const auto update = [&](const std::string& routine, const void* factor,
                          const std::vector<T>& stored, const std::vector<T>& expected) {
    p.attempt([&] {
      T* place = blas.device.upload(stored);
      blas.check(routine,
                 {{"m", kM},
                  {"n", kN},
                  {"alpha", factor},
                  {"x", blas.device.upload(x)},
                  {"incx", kIncX},
                  {"y", blas.device.upload(y)},
                  {"incy", kIncY},
                  {"A", place},
                  {"AP", place},
                  {"lda", kLda},
                  {"uplo", blas.upper()}},
                 place, expected);
    });
  };
  const Dense<T> first = strided(x, kM, kIncX);
  const Dense<T> outer = dense(a, kM, kN, kLda) + alpha * (first * dy.transposed());
  update(prefix + (Scalar<T>::kIsComplex ? "geru" : "ger"), &alpha, a, placed(outer, a, kLda));
  const Dense<T> symmetric = alpha * (dx * dx.transposed());
  const Dense<T> symmetric2 = alpha * (dx * dy.transposed()) + alpha * (dy * dx.transposed());
  update(prefix + "syr", &alpha, a, added_above(symmetric, a, kLda, false));
  update(prefix + "syr2", &alpha, a, added_above(symmetric2, a, kLda, false));
  const std::vector<T> whole = packed(from_upper(a, kN, kLda, Scalar<T>::kIsComplex, false));
  const auto packed_sum = [&](const Dense<T>& more) {
    Dense<T> sum = from_upper(a, kN, kLda, Scalar<T>::kIsComplex, false) + more;
    return packed(sum);
  };
  if constexpr (Scalar<T>::kIsComplex) {
    const Dense<T> conjugated = dense(a, kM, kN, kLda) + alpha * (first * dy.transposed(true));
    update(prefix + "gerc", &alpha, a, placed(conjugated, a, kLda));
    const Dense<T> hermitian = T(real_alpha) * (dx * dx.transposed(true));
    const Dense<T> hermitian2 = alpha * (dx * dy.transposed(true)) +
                                Scalar<T>::conjugate(alpha) * (dy * dx.transposed(true));
    // The diagonal of a Hermitian matrix is real.
    std::vector<T> real_diagonal = a;
    for (int i = 0; i < kN; ++i) {
      T& element = real_diagonal[index_of(i, i, kLda)];
      element = T(std::real(element));
    }
    update(prefix + "her", &real_alpha, real_diagonal,
           added_above(hermitian, real_diagonal, kLda, true));
    update(prefix + "her2", &alpha, real_diagonal,
           added_above(hermitian2, real_diagonal, kLda, true));
    update(prefix + "hpr", &real_alpha, whole, packed_sum(hermitian));
    update(prefix + "hpr2", &alpha, whole, packed_sum(hermitian2));
  } else {
    update(prefix + "spr", &alpha, whole, packed_sum(symmetric));
    update(prefix + "spr2", &alpha, whole, packed_sum(symmetric2));
  }
}

TORCHADA_FOR_BLAS_TYPES(probe_updates)

}  // namespace torchada::verify
