// Level 2: products of a matrix and a vector, and triangular solves.
#include "src/command/verify/probes/blas_levels.h"

namespace torchada::verify {
namespace {

constexpr int kM = 3;
constexpr int kN = 4;
constexpr int kIncX = 2;
constexpr int kIncY = 3;
constexpr int kLda = 6;

}  // namespace

template <typename T>
void probe_matrix_vector(Probing& p) {
  Blas blas(p);
  const std::string prefix = std::string("mublas") + letter<T>();
  const std::vector<T> a = numbers<T>(kLda * kN, 1);
  const std::vector<T> x = numbers<T>(kN * kIncX, 2);
  const std::vector<T> y = numbers<T>(kN * kIncY, 3);
  const T alpha = Scalar<T>::make(1.5, -0.5);
  const T beta = Scalar<T>::make(-0.5, 0.25);
  const Dense<T> dx = strided(x, kN, kIncX);
  // alpha * A * x + beta * y. `stored` holds the matrix in the routine's format.
  const auto product = [&](const std::string& routine, const Dense<T>& matrix,
                           const std::vector<T>& stored, Arguments more) {
    p.attempt([&] {
      T* place = blas.device.upload(y);
      T* const matrix_place = blas.device.upload(stored);
      Arguments list = {{"m", kM},
                        {"n", kN},
                        {"alpha", &alpha},
                        {"A", matrix_place},
                        {"AP", matrix_place},
                        {"x", blas.device.upload(x)},
                        {"incx", kIncX},
                        {"beta", &beta},
                        {"y", place},
                        {"incy", kIncY},
                        {"trans", blas.op("N")},
                        {"uplo", blas.upper()}};
      list.insert(list.begin(), more.begin(), more.end());
      const Dense<T> dy = strided(y, matrix.rows, kIncY);
      blas.check(routine, list, place, placed_strided(alpha * (matrix * dx) + beta * dy, y, kIncY));
    });
  };
  product(prefix + "gemv", dense(a, kM, kN, kLda), a, {{"lda", kLda}});
  const Dense<T> band = banded(dense(a, kM, kN, kLda), 1, 2);
  product(prefix + "gbmv", band, band_storage(band, 1, 2, 5), {{"lda", 5}, {"kl", 1}, {"ku", 2}});
  const Dense<T> symmetric = from_upper(a, kN, kLda, false, false);
  const Dense<T> hermitian = from_upper(a, kN, kLda, true, false);
  product(prefix + "symv", symmetric, a, {{"lda", kLda}});
  const Dense<T> narrow = banded(symmetric, 2, 2);
  if constexpr (Scalar<T>::kIsComplex) {
    product(prefix + "hemv", hermitian, a, {{"lda", kLda}});
    const Dense<T> narrow_hermitian = banded(hermitian, 2, 2);
    product(prefix + "hbmv", narrow_hermitian, band_storage(narrow_hermitian, 0, 2, 5),
            {{"lda", 5}, {"k", 2}});
    product(prefix + "hpmv", hermitian, packed(hermitian), {});
  } else {
    product(prefix + "sbmv", narrow, band_storage(narrow, 0, 2, 5), {{"lda", 5}, {"k", 2}});
    product(prefix + "spmv", symmetric, packed(symmetric), {});
  }

  // Multiplies x := A * x, and solves for the original x.
  const std::vector<T> triangle = solvable<T>(kN, kLda, 1);
  const auto triangular = [&](const std::string& routine, const Dense<T>& matrix,
                              const std::vector<T>& stored, Arguments more, bool solves) {
    p.attempt([&] {
      const std::vector<T> multiplied = placed_strided(matrix * dx, x, kIncX);
      T* place = blas.device.upload(solves ? multiplied : x);
      T* const matrix_place = blas.device.upload(stored);
      Arguments list = {{"n", kN},
                        {"A", matrix_place},
                        {"AP", matrix_place},
                        {"x", place},
                        {"incx", kIncX},
                        {"trans", blas.op("N")},
                        {"uplo", blas.upper()},
                        {"diag", blas.non_unit()}};
      list.insert(list.begin(), more.begin(), more.end());
      blas.check(routine, list, place, solves ? x : multiplied);
    });
  };
  const Dense<T> upper = from_upper(triangle, kN, kLda, false, true);
  const Dense<T> upper_band = banded(upper, 0, 2);
  for (const bool solves : {false, true}) {
    const std::string end = solves ? "sv" : "mv";
    triangular(prefix + "tr" + end, upper, triangle, {{"lda", kLda}}, solves);
    triangular(prefix + "tb" + end, upper_band, band_storage(upper_band, 0, 2, 5),
               {{"lda", 5}, {"k", 2}}, solves);
    triangular(prefix + "tp" + end, upper, packed(upper), {}, solves);
  }
}

TORCHADA_FOR_BLAS_TYPES(probe_matrix_vector)

}  // namespace torchada::verify
