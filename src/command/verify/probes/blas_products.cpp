// Level 3.
#include "src/command/verify/probes/blas_levels.h"

namespace torchada::verify {
namespace {

constexpr int kM = 3;
constexpr int kN = 4;
constexpr int kK = 5;
constexpr int kLda = 7;
constexpr int kLdb = 8;
constexpr int kLdc = 6;

template <typename T>
struct Products {
  explicit Products(Probing& probing)
      : p(probing),
        blas(probing),
        a(solvable<T>(6, kLda, 1)),
        b(numbers<T>(kLdb * 6, 2)),
        c(numbers<T>(kLdc * 6, 3)) {}

  // The arguments that most routines share, after the specific ones.
  void check(const std::string& routine, Arguments list, const std::vector<T>& c_before,
             const std::vector<T>& expected) {
    p.attempt([&] {
      T* place = blas.device.upload(c_before);
      for (const auto& item : Arguments{{"transa", blas.op("N")},
                                        {"transb", blas.op("N")},
                                        {"trans", blas.op("N")},
                                        {"uplo", blas.upper()},
                                        {"diag", blas.non_unit()},
                                        {"m", kM},
                                        {"n", kN},
                                        {"k", kK},
                                        {"alpha", &alpha},
                                        {"beta", &beta},
                                        {"A", blas.device.upload(a)},
                                        {"lda", kLda},
                                        {"B", blas.device.upload(b)},
                                        {"ldb", kLdb},
                                        {"C", place},
                                        {"ldc", kLdc}}) {
        list.push_back(item);
      }
      blas.check(routine, list, place, expected);
    });
  }

  // alpha * X + beta * C. With `triangle`, only the upper triangle changes.
  std::vector<T> sum(const Dense<T>& product, T factor, bool triangle, bool hermitian) {
    std::vector<T> out = c;
    for (int j = 0; j < product.columns; ++j) {
      for (int i = 0; i < product.rows; ++i) {
        if (triangle && i > j) continue;
        T& element = out[index_of(i, j, kLdc)];
        element = product(i, j) + factor * element;
        if (hermitian && i == j) element = T(std::real(element));
      }
    }
    return out;
  }

  Probing& p;
  Blas blas;
  std::vector<T> a, b, c;
  const T alpha = Scalar<T>::make(1.5, -0.5);
  const T beta = Scalar<T>::make(-0.5, 0.25);
};

template <typename T>
void probe_rank_updates(Products<T>* v, const std::string& prefix) {
  using Real = typename Scalar<T>::Real;
  const Real real_alpha = Real(1.5);
  const Real real_beta = Real(-0.5);
  const Dense<T> a = dense(v->a, kN, kK, kLda);
  const Dense<T> b = dense(v->b, kN, kK, kLdb);
  const auto sum = [&](const Dense<T>& product, T factor, bool hermitian) {
    return v->sum(product, factor, true, hermitian);
  };
  const Dense<T> ab = v->alpha * (a * b.transposed());
  v->check(prefix + "syrk", {}, v->c, sum(v->alpha * (a * a.transposed()), v->beta, false));
  v->check(prefix + "syr2k", {}, v->c, sum(ab + ab.transposed(), v->beta, false));
  v->check(prefix + "syrkx", {}, v->c, sum(ab, v->beta, false));
  if constexpr (Scalar<T>::kIsComplex) {
    const Dense<T> conjugated = v->alpha * (a * b.transposed(true));
    const Arguments with_reals = {{"alpha", &real_alpha}, {"beta", &real_beta}};
    v->check(prefix + "herk", with_reals, v->c,
             sum(T(real_alpha) * (a * a.transposed(true)), T(real_beta), true));
    v->check(prefix + "her2k", {{"beta", &real_beta}}, v->c,
             sum(conjugated + conjugated.transposed(true), T(real_beta), true));
    // A * B^H is Hermitian only for related A and B, so use the same matrix twice.
    v->p.attempt([&] {
      const T plain = T(real_alpha);
      v->check(prefix + "herkx",
               {{"alpha", &plain},
                {"beta", &real_beta},
                {"B", v->blas.device.upload(v->a)},
                {"ldb", kLda}},
               v->c, sum(plain * (a * a.transposed(true)), T(real_beta), true));
    });
  }
}

template <typename T>
void probe_triangles(Products<T>* v, const std::string& prefix) {
  const Dense<T> triangle = from_upper(v->a, kM, kLda, false, true);
  const Dense<T> b = dense(v->b, kM, kN, kLdb);
  const Dense<T> product = v->alpha * (triangle * b);
  v->p.attempt([&] {
    v->check(prefix + "trmm", {{"side", v->blas.left()}}, v->c, placed(product, v->c, kLdc));
  });
  v->p.attempt([&] {
    // Solves A * X = alpha * B with B = A * X / alpha.
    const Dense<T> right = (T(1) / v->alpha) * (triangle * b);
    T* place = v->blas.device.upload(placed(right, v->b, kLdb));
    v->blas.check(prefix + "trsm",
                  {{"side", v->blas.left()},
                   {"uplo", v->blas.upper()},
                   {"trans", v->blas.op("N")},
                   {"diag", v->blas.non_unit()},
                   {"m", kM},
                   {"n", kN},
                   {"alpha", &v->alpha},
                   {"A", v->blas.device.upload(v->a)},
                   {"lda", kLda},
                   {"B", place},
                   {"ldb", kLdb}},
                  place, v->b);
  });
}

}  // namespace

template <typename T>
void probe_products(Probing& p) {
  Products<T> v(p);
  const std::string prefix = std::string("mublas") + letter<T>();
  const Dense<T> b = dense(v.b, kM, kN, kLdb);
  v.check(
      prefix + "gemm", {}, v.c,
      v.sum(v.alpha * (dense(v.a, kM, kK, kLda) * dense(v.b, kK, kN, kLdb)), v.beta, false, false));
  p.attempt([&] {
    v.check(prefix + "symm", {{"side", v.blas.left()}}, v.c,
            v.sum(v.alpha * (from_upper(v.a, kM, kLda, false, false) * b), v.beta, false, false));
    if constexpr (Scalar<T>::kIsComplex) {
      v.check(prefix + "hemm", {{"side", v.blas.left()}}, v.c,
              v.sum(v.alpha * (from_upper(v.a, kM, kLda, true, false) * b), v.beta, false, false));
    }
  });
  probe_rank_updates(&v, prefix);
  probe_triangles(&v, prefix);
  v.check(prefix + "geam", {}, v.c,
          placed(v.alpha * dense(v.a, kM, kN, kLda) + v.beta * b, v.c, kLdc));
  p.attempt([&] {
    const std::vector<T> x = numbers<T>(kM * 2, 4);
    Dense<T> scaled = dense(v.a, kM, kN, kLda);
    for (int j = 0; j < kN; ++j) {
      for (int i = 0; i < kM; ++i) scaled(i, j) *= x[index_of(0, i, 2)];
    }
    v.check(prefix + "dgmm", {{"mode", v.blas.left()}, {"x", v.blas.device.upload(x)}, {"incx", 2}},
            v.c, placed(scaled, v.c, kLdc));
  });
}

TORCHADA_FOR_BLAS_TYPES(probe_products)

}  // namespace torchada::verify
