// Matrices and matrices against the reference, geam and dgmm among them.
#include "tests/host/mublas/trial.h"

namespace blas_tests {
namespace {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

// The stored part of c = alpha * a * b + beta * c. `call` gets alpha and beta. Operands that must
// not be read contain NaN.
template <typename T, typename Call>
void check_product(Trial& t, Matrix<T>& stored_a, const Dense<T>& a, Matrix<T>& stored_b,
                   const Dense<T>& b, Matrix<T>& c, Call call) {
  const T alpha = t.random.factor<T>(), beta = t.random.factor<T>();
  c.for_stored([&](int i, int j) {
    Sum<T> sum;
    add_product(sum, Wide<T>(alpha), a, i, b, j);
    if (beta != T{}) sum.add(beta, c.wide(i, j));
    c.storage.expect(c.index(i, j), sum);
  });
  if (alpha == T{}) stored_a.storage.poison();
  if (alpha == T{}) stored_b.storage.poison();
  if (beta == T{} && !c.indices().empty()) c.storage.poison();
  t.run([&] { return call(t.scalar(alpha), t.scalar(beta)); });
  stored_a.storage.compare();
  stored_b.storage.compare();
  c.storage.compare();
}

// A matrix that has m rows and n columns after the operation.
template <typename T>
Matrix<T> before(Random& random, mublasOperation_t trans, int m, int n) {
  return Matrix<T>::general(random, trans == MUBLAS_OP_N ? m : n, trans == MUBLAS_OP_N ? n : m);
}

template <typename T, auto function>
void gemm(Trial& t) {
  const int m = t.random.size(), n = t.random.size();
  const int k = t.random.general_depth(m * n);
  const auto trans_a = t.random.operation(), trans_b = t.random.operation();
  auto a = before<T>(t.random, trans_a, m, k), b = before<T>(t.random, trans_b, k, n);
  auto c = Matrix<T>::general(t.random, m, n);
  check_product(t, a, a.dense().op(trans_a), b, b.dense().op(trans_b), c,
                [&](auto* alpha, auto* beta) {
                  return function(t.handle, trans_a, trans_b, m, n, k, alpha, a.device(), a.ld,
                                  b.device(), b.ld, beta, c.device(), c.ld);
                });
}

template <typename T, auto function>
void from_one_side(Trial& t, bool hermitian) {
  const int m = t.random.size(), n = t.random.size();
  const auto side = t.random.side();
  const auto uplo = t.random.triangle();
  const bool left = side == MUBLAS_SIDE_LEFT;
  auto a = Matrix<T>::triangle(t.random, uplo, left ? m : n);
  auto b = Matrix<T>::general(t.random, m, n), c = Matrix<T>::general(t.random, m, n);
  const auto whole = a.symmetric(hermitian), other = b.dense();
  check_product(t, a, left ? whole : other, b, left ? other : whole, c,
                [&](auto* alpha, auto* beta) {
                  return function(t.handle, side, uplo, m, n, alpha, a.device(), a.ld, b.device(),
                                  b.ld, beta, c.device(), c.ld);
                });
}
template <typename T, auto function>
void symm(Trial& t) {
  from_one_side<T, function>(t, false);
}
template <typename T, auto function>
void hemm(Trial& t) {
  from_one_side<T, function>(t, true);
}

// The operations that syrk and its family allow for A. Complex matrices: the conjugate transpose
// for Hermitian results, the transpose for symmetric ones.
template <typename T>
mublasOperation_t rank_operation(Random& random, bool hermitian) {
  if (!is_complex<T>) return random.operation();
  return random.one_of({MUBLAS_OP_N, hermitian ? MUBLAS_OP_C : MUBLAS_OP_T});
}

// One triangle of c = alpha * a * b' + beta * c. With `both`, also adds alpha' * b * a'.
template <typename T, typename Alpha, typename Beta, typename Call>
void check_rank(Trial& t, bool hermitian, bool both, mublasOperation_t trans, Matrix<T>& stored_a,
                Matrix<T>& stored_b, Matrix<T>& c, Call call) {
  const auto alpha = t.random.factor<Alpha>();
  const auto beta = t.random.factor<Beta>();
  const Wide<T> by(Wide<Alpha>{alpha}), keep(Wide<Beta>{beta});
  const auto turn = hermitian ? MUBLAS_OP_C : MUBLAS_OP_T;
  const auto a = stored_a.dense().op(trans), b = stored_b.dense().op(trans);
  const auto turned_a = a.op(turn), turned_b = b.op(turn);
  const bool quick = (alpha == Alpha{} || a.columns == 0) && beta == Beta{1};
  c.for_stored([&](int i, int j) {
    Sum<T> sum;
    add_product(sum, by, a, i, turned_b, j);
    if (both) add_product(sum, hermitian ? conjugate(by) : by, b, i, turned_a, j);
    if (beta != Beta{}) sum.add(keep, c.wide(i, j));
    if (hermitian && i == j) sum.value = real_part(sum.value);
    if (!quick) c.storage.expect(c.index(i, j), sum);
  });
  if (alpha == Alpha{}) stored_a.storage.poison();
  if (alpha == Alpha{}) stored_b.storage.poison();
  if (beta == Beta{} && !c.indices().empty()) c.storage.poison();
  t.run([&] { return call(t.scalar(alpha), t.scalar(beta)); });
  stored_a.storage.compare();
  stored_b.storage.compare();
  c.storage.compare();
}

template <typename T, typename Scalar, auto function>
void rank_k(Trial& t, bool hermitian) {
  const int n = t.random.size(), k = t.random.depth(n * n);
  const auto uplo = t.random.triangle();
  const auto trans = rank_operation<T>(t.random, hermitian);
  auto a = before<T>(t.random, trans, n, k);
  auto c = Matrix<T>::triangle(t.random, uplo, n);
  check_rank<T, Scalar, Scalar>(t, hermitian, false, trans, a, a, c, [&](auto* alpha, auto* beta) {
    return function(t.handle, uplo, trans, n, k, alpha, a.device(), a.ld, beta, c.device(), c.ld);
  });
}
template <typename T, auto function>
void syrk(Trial& t) {
  rank_k<T, T, function>(t, false);
}
template <typename T, auto function>
void herk(Trial& t) {
  rank_k<T, Real<T>, function>(t, true);
}

template <typename T, typename Beta, auto function>
void rank_2k(Trial& t, bool hermitian, bool both) {
  const int n = t.random.size(), k = t.random.depth(n * n);
  const auto uplo = t.random.triangle();
  const auto trans = rank_operation<T>(t.random, hermitian);
  auto a = before<T>(t.random, trans, n, k), b = before<T>(t.random, trans, n, k);
  auto c = Matrix<T>::triangle(t.random, uplo, n);
  check_rank<T, T, Beta>(t, hermitian, both, trans, a, b, c, [&](auto* alpha, auto* beta) {
    return function(t.handle, uplo, trans, n, k, alpha, a.device(), a.ld, b.device(), b.ld, beta,
                    c.device(), c.ld);
  });
}
template <typename T, auto function>
void syr2k(Trial& t) {
  rank_2k<T, T, function>(t, false, true);
}
template <typename T, auto function>
void her2k(Trial& t) {
  rank_2k<T, Real<T>, function>(t, true, true);
}
template <typename T, auto function>
void syrkx(Trial& t) {
  rank_2k<T, T, function>(t, false, false);
}
template <typename T, auto function>
void herkx(Trial& t) {
  rank_2k<T, Real<T>, function>(t, true, false);
}

// A triangular matrix and the parameters of its use.
template <typename T>
struct Triangular {
  explicit Triangular(Random& random)
      : m(random.size()),
        n(random.size()),
        side(random.side()),
        uplo(random.triangle()),
        trans(random.operation()),
        diag(random.diagonal()),
        stored(Matrix<T>::triangle(random, uplo, left() ? m : n)),
        whole(stored.triangular(random, diag).op(trans)) {}

  bool left() const { return side == MUBLAS_SIDE_LEFT; }
  void add_to(Sum<T>& sum, const T& alpha, const Dense<T>& b, int i, int j) const {
    add_product(sum, Wide<T>(alpha), left() ? whole : b, i, left() ? b : whole, j);
  }

  int m, n;
  mublasSideMode_t side;
  mublasFillMode_t uplo;
  mublasOperation_t trans;
  mublasDiagType_t diag;
  Matrix<T> stored;
  Dense<T> whole;
};

template <typename T, auto function>
void trmm(Trial& t) {
  Triangular<T> a(t.random);
  auto b = Matrix<T>::general(t.random, a.m, a.n), c = Matrix<T>::general(t.random, a.m, a.n);
  const T alpha = t.random.factor<T>();
  const bool in_place = t.random.coin();
  auto& out = in_place ? b : c;
  const auto whole_b = b.dense();
  out.for_stored([&](int i, int j) {
    Sum<T> sum;
    a.add_to(sum, alpha, whole_b, i, j);
    out.storage.expect(out.index(i, j), sum);
  });
  if (alpha == T{}) a.stored.storage.poison();
  if (alpha == T{} && !out.indices().empty()) b.storage.poison();
  t.run([&] {
    return function(t.handle, a.side, a.uplo, a.trans, a.diag, a.m, a.n, t.scalar(alpha),
                    a.stored.device(), a.stored.ld, b.device(), b.ld, out.device(), out.ld);
  });
  a.stored.storage.compare();
  b.storage.compare();
  c.storage.compare();
}

// The triangular matrix times the solution must be alpha times the right hand side.
template <typename T>
void check_solution(const Triangular<T>& a, const T& alpha, const Dense<T>& right,
                    const Dense<T>& solution) {
  for (int j = 0; j < a.n; ++j) {
    for (int i = 0; i < a.m; ++i) {
      Sum<T> residual;
      a.add_to(residual, T(1), solution, i, j);
      residual.add(Wide<T>(-alpha), right.at(i, j));
      ASSERT_LE(magnitude(residual.value), residual.tolerance()) << i << ", " << j;
    }
  }
}

template <typename T, auto function>
void trsm(Trial& t) {
  Triangular<T> a(t.random);
  auto b = Matrix<T>::general(t.random, a.m, a.n);
  const T alpha = t.random.factor<T>();
  const auto right = b.dense();
  if (alpha == T{}) a.stored.storage.poison();
  if (alpha == T{} && !b.indices().empty()) b.storage.poison();
  t.run([&] {
    return function(t.handle, a.side, a.uplo, a.trans, a.diag, a.m, a.n, t.scalar(alpha),
                    a.stored.device(), a.stored.ld, b.device(), b.ld);
  });
  if (!b.indices().empty()) b.storage.accept(b.indices());
  a.stored.storage.compare();
  b.storage.compare();
  check_solution(a, alpha, right, b.dense());
}

// In half of the trials the result replaces one of the matrices, if that is allowed.
template <typename T, auto function>
void geam(Trial& t) {
  const int m = t.random.size(), n = t.random.size();
  const auto trans_a = t.random.operation(), trans_b = t.random.operation();
  const T alpha = t.random.factor<T>(), beta = t.random.factor<T>();
  auto a = before<T>(t.random, trans_a, m, n), b = before<T>(t.random, trans_b, m, n);
  auto c = Matrix<T>::general(t.random, m, n);
  const bool in_place = t.random.coin();
  auto& out = in_place && trans_a == MUBLAS_OP_N ? a : in_place && trans_b == MUBLAS_OP_N ? b : c;
  const auto whole_a = a.dense().op(trans_a), whole_b = b.dense().op(trans_b);
  out.for_stored([&](int i, int j) {
    Sum<T> sum;
    if (alpha != T{}) sum.add(alpha, whole_a.at(i, j));
    if (beta != T{}) sum.add(beta, whole_b.at(i, j));
    out.storage.expect(out.index(i, j), sum);
  });
  if (m != 0 && n != 0 && alpha == T{}) a.storage.poison();
  if (m != 0 && n != 0 && beta == T{}) b.storage.poison();
  t.run([&] {
    return function(t.handle, trans_a, trans_b, m, n, t.scalar(alpha), a.device(), a.ld,
                    t.scalar(beta), b.device(), b.ld, out.device(), out.ld);
  });
  a.storage.compare();
  b.storage.compare();
  c.storage.compare();
}

template <typename T, auto function>
void dgmm(Trial& t) {
  const int m = t.random.size(), n = t.random.size();
  const auto side = t.random.side();
  auto a = Matrix<T>::general(t.random, m, n), c = Matrix<T>::general(t.random, m, n);
  auto& out = t.random.coin() ? a : c;
  Vector<T> x(t.random, side == MUBLAS_SIDE_LEFT ? m : n);
  out.for_stored([&](int i, int j) {
    Sum<T> product;
    product.add(a.wide(i, j), x.wide(side == MUBLAS_SIDE_LEFT ? i : j));
    out.storage.expect(out.index(i, j), product);
  });
  t.run([&] {
    return function(t.handle, side, m, n, a.device(), a.ld, x.device(), x.inc, out.device(),
                    out.ld);
  });
  a.storage.compare();
  c.storage.compare();
  x.storage.compare();
}

#define FOR_COMPLEX(check, C, Z) \
  BLAS_CASE(check, ComplexFloat, C), BLAS_CASE(check, ComplexDouble, Z)
#define FOR_ALL(name)                                                            \
  BLAS_CASE(name, float, mublasS##name), BLAS_CASE(name, double, mublasD##name), \
      FOR_COMPLEX(name, mublasC##name, mublasZ##name)

BLAS_MATRIX_FAMILY(Level3, Gemm, FOR_ALL(gemm));
BLAS_MATRIX_FAMILY(Level3, Symm, FOR_ALL(symm), FOR_COMPLEX(hemm, mublasChemm, mublasZhemm));
BLAS_MATRIX_FAMILY(Level3, Syrk, FOR_ALL(syrk), FOR_COMPLEX(herk, mublasCherk, mublasZherk));
BLAS_MATRIX_FAMILY(Level3, Syr2k, FOR_ALL(syr2k), FOR_COMPLEX(her2k, mublasCher2k, mublasZher2k));
BLAS_MATRIX_FAMILY(Level3, Syrkx, FOR_ALL(syrkx), FOR_COMPLEX(herkx, mublasCherkx, mublasZherkx));
BLAS_MATRIX_FAMILY(Level3, Trmm, FOR_ALL(trmm));
BLAS_MATRIX_FAMILY(Level3, Trsm, FOR_ALL(trsm));
BLAS_MATRIX_FAMILY(Extensions, Geam, FOR_ALL(geam));
BLAS_MATRIX_FAMILY(Extensions, Dgmm, FOR_ALL(dgmm));

}  // namespace
}  // namespace blas_tests
