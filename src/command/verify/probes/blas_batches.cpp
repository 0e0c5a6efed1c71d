// Several products in one call, by arrays of pointers and by strides.
#include "src/command/verify/probes/blas_levels.h"

namespace torchada::verify {
namespace {

constexpr int kM = 3;
constexpr int kN = 4;
constexpr int kK = 5;
constexpr int kLda = 7;
constexpr int kLdb = 8;
constexpr int kLdc = 6;
constexpr int kCount = 3;
// Larger than a matrix, each by a different amount.
constexpr int kStrideA = kLda * kK + 5;
constexpr int kStrideB = kLdb * kN + 3;
constexpr int kStrideC = kLdc * kN + 7;

template <typename T>
std::vector<T> part(const std::vector<T>& all, int stride, int index) {
  return {all.begin() + static_cast<std::ptrdiff_t>(index_of(0, index, stride)), all.end()};
}

// An array of device addresses in device memory.
template <typename T>
void* addresses(Blas* blas, T* first, int stride) {
  std::vector<T*> out;
  for (int i = 0; i < kCount; ++i) out.push_back(first + index_of(0, i, stride));
  return blas->device.upload(out);
}

}  // namespace

template <typename T>
void probe_batches(Probing& p) {
  Blas blas(p);
  const std::string prefix = std::string("mublas") + letter<T>();
  const std::vector<T> a = numbers<T>(kStrideA * kCount, 1);
  const std::vector<T> b = numbers<T>(kStrideB * kCount, 2);
  const std::vector<T> c = numbers<T>(kStrideC * kCount, 3);
  const T alpha = Scalar<T>::make(1.5, -0.5);
  const T beta = Scalar<T>::make(-0.5, 0.25);
  std::vector<T> product = c;
  std::vector<T> vectors = c;
  for (int i = 0; i < kCount; ++i) {
    const Dense<T> factor = dense(part(a, kStrideA, i), kM, kK, kLda);
    const Dense<T> one = alpha * (factor * dense(part(b, kStrideB, i), kK, kN, kLdb)) +
                         beta * dense(part(c, kStrideC, i), kM, kN, kLdc);
    for (int j = 0; j < kN; ++j) {
      for (int l = 0; l < kM; ++l) {
        product[index_of(0, i, kStrideC) + index_of(l, j, kLdc)] = one(l, j);
      }
    }
    // kM x kN of the same matrix, every second element of b, every third of c.
    const Dense<T> result =
        alpha * (dense(part(a, kStrideA, i), kM, kN, kLda) * strided(part(b, kStrideB, i), kN, 2)) +
        beta * strided(part(c, kStrideC, i), kM, 3);
    for (int l = 0; l < kM; ++l) {
      vectors[index_of(3 * l, i, kStrideC)] = result(l, 0);
    }
  }
  const auto check = [&](const std::string& routine, const std::vector<T>& expected) {
    p.attempt([&] {
      T* device_a = blas.device.upload(a);
      T* device_b = blas.device.upload(b);
      T* place = blas.device.upload(c);
      void* list_a = addresses(&blas, device_a, kStrideA);
      void* list_b = addresses(&blas, device_b, kStrideB);
      void* list_c = addresses(&blas, place, kStrideC);
      blas.check(routine,
                 {{"transa", blas.op("N")},
                  {"transb", blas.op("N")},
                  {"trans", blas.op("N")},
                  {"m", kM},
                  {"n", kN},
                  {"k", kK},
                  {"alpha", &alpha},
                  {"beta", &beta},
                  {"A", device_a},
                  {"Aarray", list_a},
                  {"lda", kLda},
                  {"strideA", kStrideA},
                  {"B", device_b},
                  {"Barray", list_b},
                  {"ldb", kLdb},
                  {"strideB", kStrideB},
                  {"C", place},
                  {"Carray", list_c},
                  {"ldc", kLdc},
                  {"strideC", kStrideC},
                  {"x", device_b},
                  {"xarray", list_b},
                  {"incx", 2},
                  {"stridex", kStrideB},
                  {"y", place},
                  {"yarray", list_c},
                  {"incy", 3},
                  {"stridey", kStrideC},
                  {"batchCount", kCount}},
                 place, expected);
    });
  };
  check(prefix + "gemmBatched", product);
  check(prefix + "gemmStridedBatched", product);
  check(prefix + "gemvBatched", vectors);
  check(prefix + "gemvStridedBatched", vectors);
  p.attempt([&] {
    const std::vector<T> triangle = solvable<T>(kM, kLda, 1);
    const Dense<T> upper = from_upper(triangle, kM, kLda, false, true);
    std::vector<T> right = b;
    for (int i = 0; i < kCount; ++i) {
      const Dense<T> one = (T(1) / alpha) * (upper * dense(part(b, kStrideB, i), kM, kN, kLdb));
      for (int j = 0; j < kN; ++j) {
        for (int l = 0; l < kM; ++l) {
          right[index_of(0, i, kStrideB) + index_of(l, j, kLdb)] = one(l, j);
        }
      }
    }
    T* place = blas.device.upload(right);
    blas.check(prefix + "trsmBatched",
               {{"side", blas.left()},
                {"uplo", blas.upper()},
                {"trans", blas.op("N")},
                {"diag", blas.non_unit()},
                {"m", kM},
                {"n", kN},
                {"alpha", &alpha},
                {"A", addresses(&blas, blas.device.upload(triangle), 0)},
                {"lda", kLda},
                {"B", addresses(&blas, place, kStrideB)},
                {"ldb", kLdb},
                {"batchCount", kCount}},
               place, b);
  });
}

TORCHADA_FOR_BLAS_TYPES(probe_batches)

}  // namespace torchada::verify
