// Matrix and vector against the reference: products, rank updates and triangular matrices.
#include "tests/host/mublas/trial.h"

namespace blas_tests {
namespace {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

// y = alpha * a * x + beta * y. `call` gets alpha and beta. Operands that must not be read contain
// NaN.
template <typename T, typename Call>
void check_product(Trial& t, Matrix<T>& stored, const Dense<T>& a, Vector<T>& x, Vector<T>& y,
                   Call call) {
  const T alpha = t.random.factor<T>(), beta = t.random.factor<T>();
  const auto column = x.dense();
  for (int i = 0; i < y.n && x.n != 0; ++i) {
    Sum<T> sum;
    add_product(sum, Wide<T>(alpha), a, i, column, 0);
    if (beta != T{}) sum.add(beta, y.wide(i));
    y.storage.expect(y.index(i), sum);
  }
  if (alpha == T{}) stored.storage.poison();
  if (alpha == T{}) x.storage.poison();
  if (beta == T{} && x.n != 0) y.storage.poison();
  t.run([&] { return call(t.scalar(alpha), t.scalar(beta)); });
  stored.storage.compare();
  x.storage.compare();
  y.storage.compare();
}

template <typename T, auto function>
void gemv(Trial& t) {
  const auto [m, n] = t.random.rectangle();
  const auto trans = t.random.operation();
  auto a = Matrix<T>::general(t.random, m, n);
  const auto op = a.dense().op(trans);
  Vector<T> x(t.random, op.columns), y(t.random, op.rows);
  check_product(t, a, op, x, y, [&](auto* alpha, auto* beta) {
    return function(t.handle, trans, m, n, alpha, a.device(), a.ld, x.device(), x.inc, beta,
                    y.device(), y.inc);
  });
}

template <typename T, auto function>
void gbmv(Trial& t) {
  const auto [m, n] = t.random.rectangle();
  const int kl = t.random.between(0, 4), ku = t.random.between(0, 4);
  const auto trans = t.random.operation();
  auto a = Matrix<T>::band(t.random, m, n, kl, ku);
  const auto op = a.dense().op(trans);
  Vector<T> x(t.random, op.columns), y(t.random, op.rows);
  check_product(t, a, op, x, y, [&](auto* alpha, auto* beta) {
    return function(t.handle, trans, m, n, kl, ku, alpha, a.device(), a.ld, x.device(), x.inc, beta,
                    y.device(), y.inc);
  });
}

template <typename T, auto function>
void full_product(Trial& t, bool hermitian) {
  const int n = t.random.size();
  const auto uplo = t.random.triangle();
  auto a = Matrix<T>::triangle(t.random, uplo, n);
  Vector<T> x(t.random, n), y(t.random, n);
  check_product(t, a, a.symmetric(hermitian), x, y, [&](auto* alpha, auto* beta) {
    return function(t.handle, uplo, n, alpha, a.device(), a.ld, x.device(), x.inc, beta, y.device(),
                    y.inc);
  });
}
template <typename T, auto function>
void symv(Trial& t) {
  full_product<T, function>(t, false);
}
template <typename T, auto function>
void hemv(Trial& t) {
  full_product<T, function>(t, true);
}

template <typename T, auto function>
void hbmv(Trial& t) {
  const int n = t.random.size(), k = t.random.between(0, 4);
  const auto uplo = t.random.triangle();
  auto a = Matrix<T>::triangle_band(t.random, uplo, n, k);
  Vector<T> x(t.random, n), y(t.random, n);
  check_product(t, a, a.symmetric(true), x, y, [&](auto* alpha, auto* beta) {
    return function(t.handle, uplo, n, k, alpha, a.device(), a.ld, x.device(), x.inc, beta,
                    y.device(), y.inc);
  });
}

template <typename T, auto function>
void hpmv(Trial& t) {
  const int n = t.random.size();
  const auto uplo = t.random.triangle();
  auto a = Matrix<T>::packed(t.random, uplo, n);
  Vector<T> x(t.random, n), y(t.random, n);
  check_product(t, a, a.symmetric(true), x, y, [&](auto* alpha, auto* beta) {
    return function(t.handle, uplo, n, alpha, a.device(), x.device(), x.inc, beta, y.device(),
                    y.inc);
  });
}

template <typename T, auto function>
void rank_one(Trial& t, bool conjugated) {
  const auto [m, n] = t.random.rectangle();
  auto a = Matrix<T>::general(t.random, m, n);
  Vector<T> x(t.random, m), y(t.random, n);
  const T alpha = t.random.factor<T>();
  a.for_stored([&](int i, int j) {
    Sum<T> sum;
    sum.add(a.wide(i, j));
    sum.add(alpha, x.wide(i), conjugated ? conjugate(y.wide(j)) : y.wide(j));
    a.storage.expect(a.index(i, j), sum);
  });
  t.run([&] {
    return function(t.handle, m, n, t.scalar(alpha), x.device(), x.inc, y.device(), y.inc,
                    a.device(), a.ld);
  });
  a.storage.compare();
  x.storage.compare();
  y.storage.compare();
}
template <typename T, auto function>
void geru(Trial& t) {
  rank_one<T, function>(t, false);
}
template <typename T, auto function>
void gerc(Trial& t) {
  rank_one<T, function>(t, true);
}

// a += alpha * x * x', with one triangle stored. A Hermitian update makes the diagonal real if it
// adds anything.
template <typename T, typename Alpha, typename Call>
void check_update(Trial& t, Matrix<T>& a, bool hermitian, Call call) {
  Vector<T> x(t.random, a.rows);
  const auto alpha = t.random.factor<Alpha>();
  if (alpha != Alpha{}) {
    a.for_stored([&](int i, int j) {
      Sum<T> sum;
      sum.add(a.wide(i, j));
      sum.add(Wide<T>(Wide<Alpha>(alpha)), x.wide(i), hermitian ? conjugate(x.wide(j)) : x.wide(j));
      if (hermitian && i == j) sum.value = real_part(sum.value);
      a.storage.expect(a.index(i, j), sum);
    });
  }
  t.run([&] { return call(t.scalar(alpha), x); });
  a.storage.compare();
  x.storage.compare();
}

template <typename T, typename Alpha, auto function>
void full_update(Trial& t, bool hermitian) {
  const int n = t.random.size();
  const auto uplo = t.random.triangle();
  auto a = Matrix<T>::triangle(t.random, uplo, n);
  check_update<T, Alpha>(t, a, hermitian, [&](auto* alpha, Vector<T>& x) {
    return function(t.handle, uplo, n, alpha, x.device(), x.inc, a.device(), a.ld);
  });
}
template <typename T, auto function>
void syr(Trial& t) {
  full_update<T, T, function>(t, false);
}
template <typename T, auto function>
void her(Trial& t) {
  full_update<T, Real<T>, function>(t, true);
}

template <typename T, auto function>
void hpr(Trial& t) {
  const int n = t.random.size();
  const auto uplo = t.random.triangle();
  auto a = Matrix<T>::packed(t.random, uplo, n);
  check_update<T, Real<T>>(t, a, true, [&](auto* alpha, Vector<T>& x) {
    return function(t.handle, uplo, n, alpha, x.device(), x.inc, a.device());
  });
}

// a += alpha * x * y' + alpha' * y * x'.
template <typename T, typename Call>
void check_update2(Trial& t, Matrix<T>& a, bool hermitian, Call call) {
  Vector<T> x(t.random, a.rows), y(t.random, a.rows);
  const auto alpha = t.random.factor<T>();
  const auto other = [&](auto number) { return hermitian ? conjugate(number) : number; };
  if (alpha != T{}) {
    a.for_stored([&](int i, int j) {
      Sum<T> sum;
      sum.add(a.wide(i, j));
      sum.add(alpha, x.wide(i), other(y.wide(j)));
      sum.add(other(Wide<T>(alpha)), y.wide(i), other(x.wide(j)));
      if (hermitian && i == j) sum.value = real_part(sum.value);
      a.storage.expect(a.index(i, j), sum);
    });
  }
  t.run([&] { return call(t.scalar(alpha), x, y); });
  a.storage.compare();
  x.storage.compare();
  y.storage.compare();
}

template <typename T, auto function>
void full_update2(Trial& t, bool hermitian) {
  const int n = t.random.size();
  const auto uplo = t.random.triangle();
  auto a = Matrix<T>::triangle(t.random, uplo, n);
  check_update2<T>(t, a, hermitian, [&](auto* alpha, Vector<T>& x, Vector<T>& y) {
    return function(t.handle, uplo, n, alpha, x.device(), x.inc, y.device(), y.inc, a.device(),
                    a.ld);
  });
}
template <typename T, auto function>
void syr2(Trial& t) {
  full_update2<T, function>(t, false);
}
template <typename T, auto function>
void her2(Trial& t) {
  full_update2<T, function>(t, true);
}

template <typename T, auto function>
void hpr2(Trial& t) {
  const int n = t.random.size();
  const auto uplo = t.random.triangle();
  auto a = Matrix<T>::packed(t.random, uplo, n);
  check_update2<T>(t, a, true, [&](auto* alpha, Vector<T>& x, Vector<T>& y) {
    return function(t.handle, uplo, n, alpha, x.device(), x.inc, y.device(), y.inc, a.device());
  });
}

// x becomes a * x, or the solution of a * y = x.
template <typename T, typename Call>
void check_triangular(Trial& t, bool solve, Matrix<T>& stored, const Dense<T>& a, Call call) {
  const int n = a.rows;
  Vector<T> x(t.random, n);
  const auto before = x.dense();
  if (!solve) {
    for (int i = 0; i < n; ++i) {
      Sum<T> sum;
      add_product(sum, Wide<T>(1), a, i, before, 0);
      x.storage.expect(x.index(i), sum);
    }
  }
  t.run([&] { return call(x); });
  if (solve && n != 0) x.storage.accept(x.indices());
  x.storage.compare();
  stored.storage.compare();
  if (!solve) return;
  const auto solution = x.dense();
  for (int i = 0; i < n; ++i) {
    Sum<T> residual;
    add_product(residual, Wide<T>(1), a, i, solution, 0);
    residual.add(-before.at(i, 0));
    ASSERT_LE(magnitude(residual.value), residual.tolerance()) << "row " << i;
  }
}

template <typename T, auto function>
void full(Trial& t, bool solve) {
  const int n = t.random.size();
  const auto uplo = t.random.triangle();
  const auto trans = t.random.operation();
  const auto diag = t.random.diagonal();
  auto a = Matrix<T>::triangle(t.random, uplo, n);
  const auto whole = a.triangular(t.random, diag).op(trans);
  check_triangular(t, solve, a, whole, [&](Vector<T>& x) {
    return function(t.handle, uplo, trans, diag, n, a.device(), a.ld, x.device(), x.inc);
  });
}
template <typename T, auto function>
void trmv(Trial& t) {
  full<T, function>(t, false);
}
template <typename T, auto function>
void trsv(Trial& t) {
  full<T, function>(t, true);
}

template <typename T, auto function>
void band(Trial& t, bool solve) {
  const int n = t.random.size(), k = t.random.between(0, 4);
  const auto uplo = t.random.triangle();
  const auto trans = t.random.operation();
  const auto diag = t.random.diagonal();
  auto a = Matrix<T>::triangle_band(t.random, uplo, n, k);
  const auto whole = a.triangular(t.random, diag).op(trans);
  check_triangular(t, solve, a, whole, [&](Vector<T>& x) {
    return function(t.handle, uplo, trans, diag, n, k, a.device(), a.ld, x.device(), x.inc);
  });
}
template <typename T, auto function>
void tbmv(Trial& t) {
  band<T, function>(t, false);
}
template <typename T, auto function>
void tbsv(Trial& t) {
  band<T, function>(t, true);
}

template <typename T, auto function>
void packed(Trial& t, bool solve) {
  const int n = t.random.size();
  const auto uplo = t.random.triangle();
  const auto trans = t.random.operation();
  const auto diag = t.random.diagonal();
  auto a = Matrix<T>::packed(t.random, uplo, n);
  const auto whole = a.triangular(t.random, diag).op(trans);
  check_triangular(t, solve, a, whole, [&](Vector<T>& x) {
    return function(t.handle, uplo, trans, diag, n, a.device(), x.device(), x.inc);
  });
}
template <typename T, auto function>
void tpmv(Trial& t) {
  packed<T, function>(t, false);
}
template <typename T, auto function>
void tpsv(Trial& t) {
  packed<T, function>(t, true);
}

#define FOR_REAL(check, S, D) BLAS_CASE(check, float, S), BLAS_CASE(check, double, D)
#define FOR_COMPLEX(check, C, Z) \
  BLAS_CASE(check, ComplexFloat, C), BLAS_CASE(check, ComplexDouble, Z)
#define FOR_ALL(check, name) \
  FOR_REAL(check, mublasS##name, mublasD##name), FOR_COMPLEX(check, mublasC##name, mublasZ##name)

BLAS_MATRIX_FAMILY(Level2, Gemv, FOR_ALL(gemv, gemv));
BLAS_MATRIX_FAMILY(Level2, Gbmv, FOR_ALL(gbmv, gbmv));
BLAS_MATRIX_FAMILY(Level2, Symv, FOR_ALL(symv, symv), FOR_COMPLEX(hemv, mublasChemv, mublasZhemv));
BLAS_MATRIX_FAMILY(Level2, Sbmv, FOR_REAL(hbmv, mublasSsbmv, mublasDsbmv),
                   FOR_COMPLEX(hbmv, mublasChbmv, mublasZhbmv));
BLAS_MATRIX_FAMILY(Level2, Spmv, FOR_REAL(hpmv, mublasSspmv, mublasDspmv),
                   FOR_COMPLEX(hpmv, mublasChpmv, mublasZhpmv));
BLAS_MATRIX_FAMILY(Level2, Ger, FOR_REAL(geru, mublasSger, mublasDger),
                   FOR_COMPLEX(geru, mublasCgeru, mublasZgeru),
                   FOR_COMPLEX(gerc, mublasCgerc, mublasZgerc));
BLAS_MATRIX_FAMILY(Level2, Syr, FOR_ALL(syr, syr), FOR_COMPLEX(her, mublasCher, mublasZher));
BLAS_MATRIX_FAMILY(Level2, Spr, FOR_REAL(hpr, mublasSspr, mublasDspr),
                   FOR_COMPLEX(hpr, mublasChpr, mublasZhpr));
BLAS_MATRIX_FAMILY(Level2, Syr2, FOR_ALL(syr2, syr2), FOR_COMPLEX(her2, mublasCher2, mublasZher2));
BLAS_MATRIX_FAMILY(Level2, Spr2, FOR_REAL(hpr2, mublasSspr2, mublasDspr2),
                   FOR_COMPLEX(hpr2, mublasChpr2, mublasZhpr2));
BLAS_MATRIX_FAMILY(Level2, Trmv, FOR_ALL(trmv, trmv));
BLAS_MATRIX_FAMILY(Level2, Trsv, FOR_ALL(trsv, trsv));
BLAS_MATRIX_FAMILY(Level2, Tbmv, FOR_ALL(tbmv, tbmv));
BLAS_MATRIX_FAMILY(Level2, Tbsv, FOR_ALL(tbsv, tbsv));
BLAS_MATRIX_FAMILY(Level2, Tpmv, FOR_ALL(tpmv, tpmv));
BLAS_MATRIX_FAMILY(Level2, Tpsv, FOR_ALL(tpsv, tpsv));

}  // namespace
}  // namespace blas_tests
