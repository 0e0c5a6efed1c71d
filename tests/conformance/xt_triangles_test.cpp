// cublasXt's functions of symmetric, Hermitian and triangular matrices in host memory, for all
// types, sides, triangles and operations. Every result is compared with a plain sum over whole
// matrices; solves are multiplied back. What must not be read is not a number. main.cpp gives the
// stand-in two devices.
#include <complex>
#include <limits>
#include <random>
#include <type_traits>

#include "tests/conformance/support.h"

namespace {

using Exact = std::complex<double>;

template <typename T>
constexpr bool kIsComplex = !std::is_floating_point_v<T>;

template <typename To, typename From>
To* as(From* pointer) {
  return static_cast<To*>(
      static_cast<std::conditional_t<std::is_const_v<From>, const void, void>*>(pointer));
}

// CUDA's functions by the type of numbers. A scalar is real where CUDA's is.
template <typename T>
struct Api;
#define RANK_K(name, Cuda, Scalar, CudaScalar, function)                                       \
  static cublasStatus_t name(cublasXtHandle_t handle, cublasFillMode_t uplo,                   \
                             cublasOperation_t trans, std::size_t n, std::size_t k,            \
                             const Scalar* alpha, const Number* a, std::size_t lda,            \
                             const Scalar* beta, Number* c, std::size_t ldc) {                 \
    return function(handle, uplo, trans, n, k, as<const CudaScalar>(alpha), as<const Cuda>(a), \
                    lda, as<const CudaScalar>(beta), as<Cuda>(c), ldc);                        \
  }
#define RANK_2K(name, Cuda, Beta, CudaBeta, function)                                         \
  static cublasStatus_t name(                                                                 \
      cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, std::size_t n, \
      std::size_t k, const Number* alpha, const Number* a, std::size_t lda, const Number* b,  \
      std::size_t ldb, const Beta* beta, Number* c, std::size_t ldc) {                        \
    return function(handle, uplo, trans, n, k, as<const Cuda>(alpha), as<const Cuda>(a), lda, \
                    as<const Cuda>(b), ldb, as<const CudaBeta>(beta), as<Cuda>(c), ldc);      \
  }
#define BALANCED(name, Cuda, function)                                                       \
  static cublasStatus_t name(                                                                \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, std::size_t m,  \
      std::size_t n, const Number* alpha, const Number* a, std::size_t lda, const Number* b, \
      std::size_t ldb, const Number* beta, Number* c, std::size_t ldc) {                     \
    return function(handle, side, uplo, m, n, as<const Cuda>(alpha), as<const Cuda>(a), lda, \
                    as<const Cuda>(b), ldb, as<const Cuda>(beta), as<Cuda>(c), ldc);         \
  }
#define OF_ALL_TYPES(letter, Type, Cuda)                                                        \
  using Number = Type;                                                                          \
  RANK_K(syrk, Cuda, Number, Cuda, cublasXt##letter##syrk)                                      \
  RANK_2K(syr2k, Cuda, Number, Cuda, cublasXt##letter##syr2k)                                   \
  RANK_2K(syrkx, Cuda, Number, Cuda, cublasXt##letter##syrkx)                                   \
  BALANCED(symm, Cuda, cublasXt##letter##symm)                                                  \
  static cublasStatus_t trmm(cublasXtHandle_t handle, cublasSideMode_t side,                    \
                             cublasFillMode_t uplo, cublasOperation_t trans,                    \
                             cublasDiagType_t diag, std::size_t m, std::size_t n,               \
                             const Number* alpha, const Number* a, std::size_t lda,             \
                             const Number* b, std::size_t ldb, Number* c, std::size_t ldc) {    \
    return cublasXt##letter##trmm(handle, side, uplo, trans, diag, m, n, as<const Cuda>(alpha), \
                                  as<const Cuda>(a), lda, as<const Cuda>(b), ldb, as<Cuda>(c),  \
                                  ldc);                                                         \
  }                                                                                             \
  static cublasStatus_t trsm(                                                                   \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                    \
      cublasOperation_t trans, cublasDiagType_t diag, std::size_t m, std::size_t n,             \
      const Number* alpha, const Number* a, std::size_t lda, Number* b, std::size_t ldb) {      \
    return cublasXt##letter##trsm(handle, side, uplo, trans, diag, m, n, as<const Cuda>(alpha), \
                                  as<const Cuda>(a), lda, as<Cuda>(b), ldb);                    \
  }
#define OF_COMPLEX_TYPES(letter, Real, Cuda)                \
  RANK_K(herk, Cuda, Real, Real, cublasXt##letter##herk)    \
  RANK_2K(her2k, Cuda, Real, Real, cublasXt##letter##her2k) \
  RANK_2K(herkx, Cuda, Real, Real, cublasXt##letter##herkx) \
  BALANCED(hemm, Cuda, cublasXt##letter##hemm)
template <>
struct Api<float> {
  OF_ALL_TYPES(S, float, float)
};
template <>
struct Api<double> {
  OF_ALL_TYPES(D, double, double)
};
template <>
struct Api<std::complex<float>> {
  OF_ALL_TYPES(C, std::complex<float>, cuComplex)
  OF_COMPLEX_TYPES(C, float, cuComplex)
};
template <>
struct Api<std::complex<double>> {
  OF_ALL_TYPES(Z, std::complex<double>, cuDoubleComplex)
  OF_COMPLEX_TYPES(Z, double, cuDoubleComplex)
};

template <typename T>
T rounded(Exact value) {
  if constexpr (kIsComplex<T>) {
    return T(value);
  } else {
    return static_cast<T>(value.real());
  }
}

template <typename T>
T not_a_number() {
  return rounded<T>({std::numeric_limits<double>::quiet_NaN(), 0});
}

bool in_triangle(cublasFillMode_t uplo, std::size_t i, std::size_t j) {
  return uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

// A stored matrix. Small whole numbers, so that all sums are exact.
template <typename T>
struct Stored {
  Stored(std::size_t row_count, std::size_t column_count, std::mt19937* random, int most = 2)
      : rows(row_count), columns(column_count), ld(row_count + 2), data(ld * column_count) {
    const auto part = [&] {
      return static_cast<double>(
          static_cast<int>((*random)() % (2U * static_cast<unsigned>(most) + 1)) - most);
    };
    for (T& item : data) {
      const double real = part();
      item = rounded<T>({real, part()});
    }
  }
  T& at(std::size_t i, std::size_t j) { return data[j * ld + i]; }
  const T& at(std::size_t i, std::size_t j) const { return data[j * ld + i]; }
  // Nothing may depend on the other triangle.
  void spoil_other(cublasFillMode_t uplo) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        if (!in_triangle(uplo, i, j)) at(i, j) = not_a_number<T>();
      }
    }
  }

  std::size_t rows, columns, ld;
  std::vector<T> data;
};

struct Whole {
  Whole(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), data(row_count * column_count) {}
  Exact& at(std::size_t i, std::size_t j) { return data[j * rows + i]; }
  const Exact& at(std::size_t i, std::size_t j) const { return data[j * rows + i]; }
  std::size_t rows, columns;
  std::vector<Exact> data;
};

template <typename T>
Whole whole(const Stored<T>& matrix) {
  Whole out(matrix.rows, matrix.columns);
  for (std::size_t j = 0; j < out.columns; ++j) {
    for (std::size_t i = 0; i < out.rows; ++i) out.at(i, j) = Exact(matrix.at(i, j));
  }
  return out;
}

Whole operated(const Whole& matrix, cublasOperation_t operation) {
  if (operation == CUBLAS_OP_N) return matrix;
  Whole out(matrix.columns, matrix.rows);
  for (std::size_t j = 0; j < out.columns; ++j) {
    for (std::size_t i = 0; i < out.rows; ++i) {
      const Exact& item = matrix.at(j, i);
      out.at(i, j) = operation == CUBLAS_OP_C ? std::conj(item) : item;
    }
  }
  return out;
}

Whole operator*(const Whole& a, const Whole& b) {
  Whole out(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.columns; ++j) {
      for (std::size_t l = 0; l < a.columns; ++l) out.at(i, j) += a.at(i, l) * b.at(l, j);
    }
  }
  return out;
}

// The matrix of which `uplo` is stored; the diagonal of a Hermitian one is real.
template <typename T>
Whole symmetric(const Stored<T>& matrix, cublasFillMode_t uplo, bool is_hermitian) {
  Whole out(matrix.rows, matrix.rows);
  for (std::size_t j = 0; j < out.columns; ++j) {
    for (std::size_t i = 0; i < out.rows; ++i) {
      const bool is_stored = in_triangle(uplo, i, j);
      const Exact item(is_stored ? matrix.at(i, j) : matrix.at(j, i));
      out.at(i, j) = is_hermitian && !is_stored ? std::conj(item) : item;
      if (is_hermitian && i == j) out.at(i, j) = item.real();
    }
  }
  return out;
}

template <typename T>
Whole triangle(const Stored<T>& matrix, cublasFillMode_t uplo, cublasDiagType_t diag) {
  Whole out(matrix.rows, matrix.rows);
  for (std::size_t j = 0; j < out.columns; ++j) {
    for (std::size_t i = 0; i < out.rows; ++i) {
      if (in_triangle(uplo, i, j)) out.at(i, j) = Exact(matrix.at(i, j));
      if (i == j && diag == CUBLAS_DIAG_UNIT) out.at(i, j) = 1;
    }
  }
  return out;
}

constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasSideMode_t kSides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr cublasDiagType_t kDiagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

class BlasFormsXt : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtCreate(&handle_));
    int devices[] = {1, 0};
    ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtDeviceSelect(handle_, 2, devices));
  }
  void TearDown() override { EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtDestroy(handle_)); }

  // One tile for all, tiles of equal sizes, and with a smaller rest.
  template <typename Check>
  void with_blocks(const Check& check) {
    for (const int block : {1024, 2, 3}) {
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtSetBlockDim(handle_, block));
      check();
      if (HasFailure()) return;
    }
  }

  // C = sum + beta * C in the triangle, and nothing else. A real diagonal stays so.
  template <typename T>
  static void expect_update(const Stored<T>& before, const Whole& sum, Exact beta,
                            cublasFillMode_t uplo, bool is_hermitian, const Stored<T>& after,
                            const std::string& what) {
    std::vector<T> expected = before.data;
    for (std::size_t j = 0; j < sum.columns; ++j) {
      for (std::size_t i = 0; i < sum.rows; ++i) {
        if (!in_triangle(uplo, i, j)) continue;
        Exact old(before.at(i, j));
        if (is_hermitian && i == j) old = old.real();
        Exact value = sum.at(i, j) + (beta == Exact() ? Exact() : beta * old);
        if (is_hermitian && i == j) value = value.real();
        expected[j * before.ld + i] = rounded<T>(value);
      }
    }
    EXPECT_EQ(expected, after.data) << what;
  }

  // `call(uplo, trans, n, k, a, b, c, alpha is complex)` of ranks k and 2k. `conjugates` says what
  // transposes; `second` adds the other product.
  template <typename T, typename Beta, typename Call>
  void expect_updates(bool is_hermitian, bool has_b, bool has_second, Exact alpha,
                      const Call& call) {
    std::mt19937 random(7);
    const cublasOperation_t turned = is_hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    with_blocks([&] {
      for (const cublasFillMode_t uplo : kFills) {
        for (const cublasOperation_t trans : kOperations) {
          // For real numbers both operations that transpose are the same.
          if (kIsComplex<T> && trans != CUBLAS_OP_N && trans != turned) continue;
          for (const int times : {3, 0}) {
            for (const std::size_t k : {std::size_t{5}, std::size_t{0}}) {
              constexpr std::size_t kOrder = 7;
              const bool is_plain = trans == CUBLAS_OP_N;
              const Stored<T> a(is_plain ? kOrder : k, is_plain ? k : kOrder, &random);
              Stored<T> b(is_plain ? kOrder : k, is_plain ? k : kOrder, &random);
              if (!has_b) b = a;
              // With different matrices and one product, the caller promises a symmetric result.
              if (has_b && !has_second) b = a;
              Stored<T> c(kOrder, kOrder, &random);
              if (times == 0) {
                for (std::size_t j = 0; j < kOrder; ++j) {
                  for (std::size_t i = 0; i < kOrder; ++i) {
                    if (in_triangle(uplo, i, j)) c.at(i, j) = not_a_number<T>();
                  }
                }
              }
              const Stored<T> before = c;
              const auto beta = static_cast<Beta>(static_cast<float>(times));
              ASSERT_EQ(CUBLAS_STATUS_SUCCESS, call(uplo, trans, kOrder, k, a, b, &beta, &c));
              const cublasOperation_t left = is_plain ? CUBLAS_OP_N : turned;
              const cublasOperation_t right = is_plain ? turned : CUBLAS_OP_N;
              Whole sum = operated(whole(a), left) * operated(whole(b), right);
              const Whole other = operated(whole(b), left) * operated(whole(a), right);
              for (std::size_t i = 0; i < sum.data.size(); ++i) {
                sum.data[i] *= alpha;
                if (has_second) {
                  sum.data[i] += (is_hermitian ? std::conj(alpha) : alpha) * other.data[i];
                }
              }
              expect_update(before, sum, Exact(times), uplo, is_hermitian, c,
                            "uplo " + std::to_string(uplo) + " trans " + std::to_string(trans) +
                                " beta " + std::to_string(times) + " k " + std::to_string(k));
            }
          }
        }
      }
    });
  }

  template <typename T>
  static Exact alpha_of() {
    return kIsComplex<T> ? Exact(2, -1) : Exact(2);
  }

  template <typename T>
  void expect_syrk() {
    const T alpha = rounded<T>(alpha_of<T>());
    expect_updates<T, T>(false, false, false, alpha_of<T>(),
                         [&](auto uplo, auto trans, auto n, auto k, const auto& a, const auto&,
                             const T* beta, auto* c) {
                           return Api<T>::syrk(handle_, uplo, trans, n, k, &alpha, a.data.data(),
                                               a.ld, beta, c->data.data(), c->ld);
                         });
  }
  template <typename T>
  void expect_herk() {
    using Real = typename T::value_type;
    const Real alpha = 2;
    expect_updates<T, Real>(true, false, false, 2,
                            [&](auto uplo, auto trans, auto n, auto k, const auto& a, const auto&,
                                const Real* beta, auto* c) {
                              return Api<T>::herk(handle_, uplo, trans, n, k, &alpha, a.data.data(),
                                                  a.ld, beta, c->data.data(), c->ld);
                            });
  }
  template <typename T>
  void expect_symmetric_pairs(bool has_second) {
    const T alpha = rounded<T>(alpha_of<T>());
    expect_updates<T, T>(false, true, has_second, alpha_of<T>(),
                         [&](auto uplo, auto trans, auto n, auto k, const auto& a, const auto& b,
                             const T* beta, auto* c) {
                           return (has_second ? Api<T>::syr2k : Api<T>::syrkx)(
                               handle_, uplo, trans, n, k, &alpha, a.data.data(), a.ld,
                               b.data.data(), b.ld, beta, c->data.data(), c->ld);
                         });
  }
  // With one product, alpha must be real for a Hermitian result.
  template <typename T>
  void expect_hermitian_pairs(bool has_second) {
    using Real = typename T::value_type;
    const Exact exact = has_second ? alpha_of<T>() : Exact(2);
    const T alpha = rounded<T>(exact);
    expect_updates<T, Real>(true, true, has_second, exact,
                            [&](auto uplo, auto trans, auto n, auto k, const auto& a, const auto& b,
                                const Real* beta, auto* c) {
                              return (has_second ? Api<T>::her2k : Api<T>::herkx)(
                                  handle_, uplo, trans, n, k, &alpha, a.data.data(), a.ld,
                                  b.data.data(), b.ld, beta, c->data.data(), c->ld);
                            });
  }

  // symm, or hemm.
  template <typename T, typename Call>
  void expect_balanced(bool is_hermitian, const Call& call) {
    std::mt19937 random(11);
    constexpr std::size_t kM = 5, kN = 7;
    const T alpha = rounded<T>(alpha_of<T>());
    with_blocks([&] {
      for (const cublasSideMode_t side : kSides) {
        for (const cublasFillMode_t uplo : kFills) {
          for (const int times : {3, 0}) {
            const std::size_t order = side == CUBLAS_SIDE_LEFT ? kM : kN;
            Stored<T> a(order, order, &random);
            const Stored<T> b(kM, kN, &random);
            Stored<T> c(kM, kN, &random);
            const Whole full = symmetric(a, uplo, is_hermitian);
            a.spoil_other(uplo);
            const Whole sum = side == CUBLAS_SIDE_LEFT ? full * whole(b) : whole(b) * full;
            std::vector<T> expected = c.data;
            for (std::size_t j = 0; j < kN; ++j) {
              for (std::size_t i = 0; i < kM; ++i) {
                const Exact old = times == 0 ? Exact() : Exact(times) * Exact(c.at(i, j));
                expected[j * c.ld + i] = rounded<T>(Exact(alpha) * sum.at(i, j) + old);
                if (times == 0) c.at(i, j) = not_a_number<T>();
              }
            }
            const T beta = rounded<T>(Exact(times));
            ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
                      call(handle_, side, uplo, kM, kN, &alpha, a.data.data(), a.ld, b.data.data(),
                           b.ld, &beta, c.data.data(), c.ld));
            EXPECT_EQ(expected, c.data) << "side " << side << " uplo " << uplo << " beta " << times;
          }
        }
      }
    });
  }

  template <typename Check>
  void with_triangles(const Check& check) {
    with_blocks([&] {
      for (const cublasSideMode_t side : kSides) {
        for (const cublasFillMode_t uplo : kFills) {
          for (const cublasOperation_t trans : kOperations) {
            for (const cublasDiagType_t diag : kDiagonals) check(side, uplo, trans, diag);
          }
        }
      }
    });
  }

  template <typename T>
  void expect_trmm() {
    std::mt19937 random(13);
    constexpr std::size_t kM = 7, kN = 5;
    with_triangles([&](auto side, auto uplo, auto trans, auto diag) {
      for (const Exact exact : {alpha_of<T>(), Exact()}) {
        const T alpha = rounded<T>(exact);
        const std::size_t order = side == CUBLAS_SIDE_LEFT ? kM : kN;
        Stored<T> a(order, order, &random);
        Stored<T> b(kM, kN, &random);
        Stored<T> c(kM, kN, &random);
        const Whole full = operated(triangle(a, uplo, diag), trans);
        a.spoil_other(uplo);
        const Whole product = side == CUBLAS_SIDE_LEFT ? full * whole(b) : whole(b) * full;
        for (const bool in_place : {false, true}) {
          std::vector<T> expected = in_place ? b.data : c.data;
          const std::size_t ld = in_place ? b.ld : c.ld;
          for (std::size_t j = 0; j < kN; ++j) {
            for (std::size_t i = 0; i < kM; ++i) {
              expected[j * ld + i] = rounded<T>(exact * product.at(i, j));
            }
          }
          T* const to = in_place ? b.data.data() : c.data.data();
          ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
                    Api<T>::trmm(handle_, side, uplo, trans, diag, kM, kN, &alpha, a.data.data(),
                                 a.ld, b.data.data(), b.ld, to, ld));
          EXPECT_EQ(expected, in_place ? b.data : c.data)
              << "side " << side << " uplo " << uplo << " trans " << trans << " diag " << diag
              << (in_place ? " in place" : "");
        }
      }
    });
  }

  template <typename T>
  void expect_trsm() {
    std::mt19937 random(17);
    constexpr std::size_t kM = 7, kN = 5;
    with_triangles([&](auto side, auto uplo, auto trans, auto diag) {
      const std::size_t order = side == CUBLAS_SIDE_LEFT ? kM : kN;
      Stored<T> a(order, order, &random, 1);
      // Divisions by these are exact.
      for (std::size_t i = 0; i < order; ++i) a.at(i, i) = rounded<T>(Exact(i % 2 == 0 ? 2 : -1));
      Stored<T> b(kM, kN, &random);
      const Stored<T> right = b;
      const Whole full = operated(triangle(a, uplo, diag), trans);
      a.spoil_other(uplo);
      const T alpha = rounded<T>(alpha_of<T>());
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
                Api<T>::trsm(handle_, side, uplo, trans, diag, kM, kN, &alpha, a.data.data(), a.ld,
                             b.data.data(), b.ld));
      const Whole back = side == CUBLAS_SIDE_LEFT ? full * whole(b) : whole(b) * full;
      for (std::size_t j = 0; j < kN; ++j) {
        for (std::size_t i = 0; i < kM; ++i) {
          EXPECT_EQ(Exact(alpha) * Exact(right.at(i, j)), back.at(i, j))
              << "side " << side << " uplo " << uplo << " trans " << trans << " diag " << diag;
        }
        for (std::size_t i = kM; i < b.ld; ++i) EXPECT_EQ(right.at(i, j), b.at(i, j));
      }
      // Without a right side the matrix does not matter.
      const T zero = T();
      for (T& item : a.data) item = not_a_number<T>();
      ASSERT_EQ(CUBLAS_STATUS_SUCCESS, Api<T>::trsm(handle_, side, uplo, trans, diag, kM, kN, &zero,
                                                    a.data.data(), a.ld, b.data.data(), b.ld));
      for (std::size_t j = 0; j < kN; ++j) {
        for (std::size_t i = 0; i < kM; ++i) EXPECT_EQ(T(), b.at(i, j));
      }
    });
  }

  cublasXtHandle_t handle_ = nullptr;
};

using C = std::complex<float>;
using Z = std::complex<double>;

TEST_F(BlasFormsXt, cublasXtSsyrk_writes_one_triangle) { expect_syrk<float>(); }
TEST_F(BlasFormsXt, cublasXtDsyrk_writes_one_triangle) { expect_syrk<double>(); }
TEST_F(BlasFormsXt, cublasXtCsyrk_writes_one_triangle) { expect_syrk<C>(); }
TEST_F(BlasFormsXt, cublasXtZsyrk_writes_one_triangle) { expect_syrk<Z>(); }
TEST_F(BlasFormsXt, cublasXtCherk_writes_one_triangle) { expect_herk<C>(); }
TEST_F(BlasFormsXt, cublasXtZherk_writes_one_triangle) { expect_herk<Z>(); }
TEST_F(BlasFormsXt, cublasXtSsyr2k_adds_both_products) { expect_symmetric_pairs<float>(true); }
TEST_F(BlasFormsXt, cublasXtDsyr2k_adds_both_products) { expect_symmetric_pairs<double>(true); }
TEST_F(BlasFormsXt, cublasXtCsyr2k_adds_both_products) { expect_symmetric_pairs<C>(true); }
TEST_F(BlasFormsXt, cublasXtZsyr2k_adds_both_products) { expect_symmetric_pairs<Z>(true); }
TEST_F(BlasFormsXt, cublasXtCher2k_adds_both_products) { expect_hermitian_pairs<C>(true); }
TEST_F(BlasFormsXt, cublasXtZher2k_adds_both_products) { expect_hermitian_pairs<Z>(true); }
TEST_F(BlasFormsXt, cublasXtSsyrkx_takes_two_matrices) { expect_symmetric_pairs<float>(false); }
TEST_F(BlasFormsXt, cublasXtDsyrkx_takes_two_matrices) { expect_symmetric_pairs<double>(false); }
TEST_F(BlasFormsXt, cublasXtCsyrkx_takes_two_matrices) { expect_symmetric_pairs<C>(false); }
TEST_F(BlasFormsXt, cublasXtZsyrkx_takes_two_matrices) { expect_symmetric_pairs<Z>(false); }
TEST_F(BlasFormsXt, cublasXtCherkx_takes_two_matrices) { expect_hermitian_pairs<C>(false); }
TEST_F(BlasFormsXt, cublasXtZherkx_takes_two_matrices) { expect_hermitian_pairs<Z>(false); }
TEST_F(BlasFormsXt, cublasXtSsymm_reads_one_triangle) {
  expect_balanced<float>(false, Api<float>::symm);
}
TEST_F(BlasFormsXt, cublasXtDsymm_reads_one_triangle) {
  expect_balanced<double>(false, Api<double>::symm);
}
TEST_F(BlasFormsXt, cublasXtCsymm_reads_one_triangle) { expect_balanced<C>(false, Api<C>::symm); }
TEST_F(BlasFormsXt, cublasXtZsymm_reads_one_triangle) { expect_balanced<Z>(false, Api<Z>::symm); }
TEST_F(BlasFormsXt, cublasXtChemm_reads_one_triangle) { expect_balanced<C>(true, Api<C>::hemm); }
TEST_F(BlasFormsXt, cublasXtZhemm_reads_one_triangle) { expect_balanced<Z>(true, Api<Z>::hemm); }
TEST_F(BlasFormsXt, cublasXtStrmm_also_in_place) { expect_trmm<float>(); }
TEST_F(BlasFormsXt, cublasXtDtrmm_also_in_place) { expect_trmm<double>(); }
TEST_F(BlasFormsXt, cublasXtCtrmm_also_in_place) { expect_trmm<C>(); }
TEST_F(BlasFormsXt, cublasXtZtrmm_also_in_place) { expect_trmm<Z>(); }
TEST_F(BlasFormsXt, cublasXtStrsm_solves_what_multiplies_back) { expect_trsm<float>(); }
TEST_F(BlasFormsXt, cublasXtDtrsm_solves_what_multiplies_back) { expect_trsm<double>(); }
TEST_F(BlasFormsXt, cublasXtCtrsm_solves_what_multiplies_back) { expect_trsm<C>(); }
TEST_F(BlasFormsXt, cublasXtZtrsm_solves_what_multiplies_back) { expect_trsm<Z>(); }

// A bad argument of one function each; the others of its kind share the code that asks.
TEST_F(BlasFormsXt, cublasXtSsyrk_and_others_refuse_bad_arguments) {
  using Single = Api<float>;
  using Complex = Api<C>;
  const auto fill = [](int value) { return static_cast<cublasFillMode_t>(value); };
  const auto operation = [](int value) { return static_cast<cublasOperation_t>(value); };
  const auto side_of = [](int value) { return static_cast<cublasSideMode_t>(value); };
  const auto diag_of = [](int value) { return static_cast<cublasDiagType_t>(value); };
  float memory[64] = {};
  C numbers[64] = {};
  const float one = 1;
  const C whole_one = 1;

  const auto update = [&](int uplo, int trans, std::size_t n, std::size_t k, const float* alpha,
                          const float* a, std::size_t lda, const float* beta, float* c,
                          std::size_t ldc) {
    return Single::syrk(handle_, fill(uplo), operation(trans), n, k, alpha, a, lda, beta, c, ldc);
  };
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, update(0, 0, 2, 3, &one, memory, 2, &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, update(0, 0, 0, 3, &one, nullptr, 1, &one, nullptr, 1));
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, update(0, 0, 2, 0, &one, nullptr, 2, &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(2, 0, 2, 3, &one, memory, 2, &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(0, 3, 2, 3, &one, memory, 3, &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(0, 0, 2, 3, &one, memory, 1, &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(0, 1, 2, 3, &one, memory, 2, &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(0, 0, 2, 3, &one, memory, 2, &one, memory, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(0, 0, 2, 3, nullptr, memory, 2, &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(0, 0, 2, 3, &one, memory, 2, nullptr, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(0, 0, 2, 3, &one, nullptr, 2, &one, memory, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, update(0, 0, 2, 3, &one, memory, 2, &one, nullptr, 2));

  // What transposes a complex matrix follows from the function.
  const auto hermitian = [&](int trans, const float* alpha, const float* beta) {
    return Complex::herk(handle_, fill(0), operation(trans), 2, 2, alpha, numbers, 2, beta, numbers,
                         2);
  };
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, hermitian(2, &one, &one));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, hermitian(1, &one, &one));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, hermitian(0, nullptr, &one));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, hermitian(0, &one, nullptr));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            Complex::syrk(handle_, fill(0), operation(2), 2, 2, &whole_one, numbers, 2, &whole_one,
                          numbers, 2));
  const auto pair = [&](const C* alpha, std::size_t ldb, const C* b, const float* beta) {
    return Complex::her2k(handle_, fill(1), operation(0), 2, 2, alpha, numbers, 2, b, ldb, beta,
                          numbers, 2);
  };
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, pair(&whole_one, 2, numbers, &one));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, pair(nullptr, 2, numbers, &one));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, pair(&whole_one, 1, numbers, &one));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, pair(&whole_one, 2, nullptr, &one));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, pair(&whole_one, 2, numbers, nullptr));

  const auto balanced = [&](int side, int uplo, const float* alpha, const float* a, std::size_t lda,
                            std::size_t ldb, const float* beta, std::size_t ldc) {
    return Single::symm(handle_, side_of(side), fill(uplo), 2, 3, alpha, a, lda, memory, ldb, beta,
                        memory, ldc);
  };
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, balanced(0, 0, &one, memory, 2, 2, &one, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(2, 0, &one, memory, 2, 2, &one, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(0, 2, &one, memory, 2, 2, &one, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(0, 0, nullptr, memory, 2, 2, &one, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(0, 0, &one, nullptr, 2, 2, &one, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(0, 0, &one, memory, 1, 2, &one, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(1, 0, &one, memory, 2, 2, &one, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(0, 0, &one, memory, 2, 1, &one, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(0, 0, &one, memory, 2, 2, nullptr, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, balanced(0, 0, &one, memory, 2, 2, &one, 1));

  const auto triangular = [&](int side, int uplo, int trans, int diag, const float* alpha,
                              const float* a, std::size_t lda, std::size_t ldb) {
    return Single::trsm(handle_, side_of(side), fill(uplo), operation(trans), diag_of(diag), 2, 3,
                        alpha, a, lda, memory, ldb);
  };
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, triangular(0, 0, 0, 1, &one, memory, 2, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(2, 0, 0, 1, &one, memory, 2, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(0, 2, 0, 1, &one, memory, 2, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(0, 0, 3, 1, &one, memory, 2, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(0, 0, 0, 2, &one, memory, 2, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(0, 0, 0, 1, nullptr, memory, 2, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(0, 0, 0, 1, &one, nullptr, 2, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(0, 0, 0, 1, &one, memory, 1, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(1, 0, 0, 1, &one, memory, 2, 2));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE, triangular(0, 0, 0, 1, &one, memory, 2, 1));
  EXPECT_EQ(CUBLAS_STATUS_INVALID_VALUE,
            Single::trmm(handle_, side_of(0), fill(0), operation(0), diag_of(0), 2, 2, &one, memory,
                         2, memory, 2, memory, 1));
}

TEST_F(BlasFormsXt, cublasXtStrsm_and_others_need_a_handle_with_devices) {
  cublasXtHandle_t fresh = nullptr;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtCreate(&fresh));
  float memory[16] = {};
  const float one = 1;
  for (cublasXtHandle_t handle : {static_cast<cublasXtHandle_t>(nullptr), fresh}) {
    EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
              cublasXtStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                            CUBLAS_DIAG_UNIT, 2, 2, &one, memory, 2, memory, 2));
    EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
              cublasXtStrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                            CUBLAS_DIAG_UNIT, 2, 2, &one, memory, 2, memory, 2, memory, 2));
    EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
              cublasXtSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 2, &one, memory, 2,
                            &one, memory, 2));
    EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
              cublasXtSsyr2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 2, &one, memory, 2,
                             memory, 2, &one, memory, 2));
    EXPECT_EQ(CUBLAS_STATUS_NOT_INITIALIZED,
              cublasXtSsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &one, memory, 2,
                            memory, 2, &one, memory, 2));
  }
  EXPECT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtDestroy(fresh));
}

// Also across devices, and the caller's device stays current.
TEST_F(BlasFormsXt, cublasXtSsyrk_takes_matrices_in_device_memory) {
  std::mt19937 random(19);
  const Stored<float> a(6, 4, &random);
  Stored<float> c(6, 6, &random);
  const Stored<float> before = c;
  const Buffer device_a(a.data.size() * sizeof(float)), device_c(c.data.size() * sizeof(float));
  const auto data = [](const Buffer& buffer) {
    return static_cast<float*>(static_cast<void*>(buffer));
  };
  ASSERT_OK(cudaMemcpy(device_a, a.data.data(), a.data.size() * sizeof(float), cudaMemcpyDefault));
  ASSERT_OK(cudaMemcpy(device_c, c.data.data(), c.data.size() * sizeof(float), cudaMemcpyDefault));
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS, cublasXtSetBlockDim(handle_, 4));
  const float alpha = 2, beta = 3;
  ASSERT_EQ(CUBLAS_STATUS_SUCCESS,
            cublasXtSsyrk(handle_, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 6, 4, &alpha,
                          data(device_a), a.ld, &beta, data(device_c), c.ld));
  ASSERT_OK(cudaMemcpy(c.data.data(), device_c, c.data.size() * sizeof(float), cudaMemcpyDefault));
  Whole sum = whole(a) * operated(whole(a), CUBLAS_OP_T);
  for (Exact& item : sum.data) item *= 2;
  expect_update(before, sum, 3, CUBLAS_FILL_MODE_UPPER, false, c, "device memory");
  int device = -1;
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT_EQ(0, device);
}

}  // namespace
