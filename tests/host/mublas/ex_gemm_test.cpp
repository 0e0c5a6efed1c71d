#include <cmath>
#include <limits>

#include "tests/host/mublas/with_handle.h"
#include "tests/host/shared/typed_matrix.h"

namespace {

using host_tests::Complex;
using host_tests::DeviceArray;
using host_tests::Roadblock;
using host_tests::stored_as;
using host_tests::TypedArray;

struct Triple {
  musaDataType_t input, output;
  mublasComputeType_t compute;
  musaDataType_t old_compute;
  musaDataType_t scale;
};

const Triple kTriples[] = {
    {MUSA_R_16F, MUSA_R_16F, MUBLAS_COMPUTE_16F, MUSA_R_16F, MUSA_R_16F},
    {MUSA_R_16F, MUSA_R_16F, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_32F},
    {MUSA_R_16F, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_32F},
    {MUSA_R_16BF, MUSA_R_16BF, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_32F},
    {MUSA_R_16BF, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_32F},
    {MUSA_R_8I, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_32F},
    {MUSA_R_8I, MUSA_R_32I, MUBLAS_COMPUTE_32I, MUSA_R_32I, MUSA_R_32I},
    {MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F, MUSA_R_32F},
    {MUSA_R_64F, MUSA_R_64F, MUBLAS_COMPUTE_64F, MUSA_R_64F, MUSA_R_64F},
    {MUSA_C_32F, MUSA_C_32F, MUBLAS_COMPUTE_32F, MUSA_C_32F, MUSA_C_32F},
    {MUSA_C_64F, MUSA_C_64F, MUBLAS_COMPUTE_64F, MUSA_C_64F, MUSA_C_64F},
};

struct Shape {
  mublasOperation_t trans_a, trans_b;
  int m, n, k;
  double alpha, beta;
  int batch;

  int lda() const { return (trans_a == MUBLAS_OP_N ? m : k) + 3; }
  int ldb() const { return (trans_b == MUBLAS_OP_N ? k : n) + 2; }
  int ldc() const { return m + 1; }
  long long stride_a() const { return lda() * ((trans_a == MUBLAS_OP_N ? k : m) + 1LL); }
  long long stride_b() const { return ldb() * ((trans_b == MUBLAS_OP_N ? n : k) + 1LL); }
  long long stride_c() const { return ldc() * n; }
};

std::vector<Shape> shapes(int batch) {
  std::vector<Shape> result;
  for (const auto a : {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C}) {
    for (const auto b : {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C}) {
      result.push_back({a, b, 5, 3, 4, 2, -1, batch});
      result.push_back({a, b, 70, 67, 131, 1, 0, batch});
      result.push_back({a, b, 6, 7, 0, 3, 2, batch});
      result.push_back({a, b, 6, 7, 5, 0, 2, batch});
    }
  }
  return result;
}

class ExGemm : public host_tests::WithHandle {
 protected:
  struct Problem {
    Triple types;
    Shape shape;
    TypedArray a, b, c, alpha, beta;

    Problem(const Triple& with_types, const Shape& with_shape)
        : types(with_types),
          shape(with_shape),
          a(types.input, host_tests::small_integers(
                             types.input, shape.stride_a() * std::max(shape.batch, 1), 1)),
          b(types.input, host_tests::small_integers(
                             types.input, shape.stride_b() * std::max(shape.batch, 1), 2)),
          c(types.output, host_tests::small_integers(
                              types.output, shape.stride_c() * std::max(shape.batch, 1), 3)),
          alpha(types.scale, {shape.alpha}),
          beta(types.scale, {shape.beta}) {}

    std::vector<Complex> expected() const {
      const auto left = a.values(), right = b.values();
      auto result = c.values();
      for (int i = 0; i < shape.batch; ++i) {
        for (int row = 0; row < shape.m; ++row) {
          for (int column = 0; column < shape.n; ++column) {
            Complex sum = 0;
            for (int p = 0; p < shape.k; ++p) {
              sum += element(left, shape.trans_a, row, p, shape.lda(), i * shape.stride_a()) *
                     element(right, shape.trans_b, p, column, shape.ldb(), i * shape.stride_b());
            }
            Complex& cell = result[row + column * shape.ldc() + i * shape.stride_c()];
            const Complex before = shape.beta == 0 ? 0 : shape.beta * cell;
            cell = stored_as(types.output, shape.alpha * sum + before);
          }
        }
      }
      return result;
    }

    static Complex element(const std::vector<Complex>& matrix, mublasOperation_t operation, int row,
                           int column, int ld, long long start) {
      if (operation == MUBLAS_OP_N) return matrix[start + row + column * ld];
      const Complex value = matrix[start + column + row * ld];
      return operation == MUBLAS_OP_C ? std::conj(value) : value;
    }
  };

  template <typename Call>
  void check(int batch, Call call) {
    for (const Triple& triple : kTriples) {
      for (const Shape& shape : shapes(batch)) {
        Problem p(triple, shape);
        const auto expected = p.expected();
        ASSERT_EQ(call(p), MUBLAS_STATUS_SUCCESS) << triple.input;
        stream_.wait();
        ASSERT_EQ(p.c.values(), expected)
            << triple.input << " to " << triple.output << ": " << shape.trans_a << ' '
            << shape.trans_b << ' ' << shape.m << 'x' << shape.n << 'x' << shape.k;
      }
    }
  }

  template <typename Compute>
  mublasStatus_t plain(const Problem& p, Compute compute) {
    const Shape& s = p.shape;
    return mublasGemmEx(handle_, s.trans_a, s.trans_b, s.m, s.n, s.k, p.alpha.data(), p.a.data(),
                        p.types.input, s.lda(), p.b.data(), p.types.input, s.ldb(), p.beta.data(),
                        p.c.data(), p.types.output, s.ldc(), compute, MUBLAS_GEMM_DEFAULT);
  }

  template <typename Compute>
  mublasStatus_t strided(const Problem& p, Compute compute) {
    const Shape& s = p.shape;
    return mublasGemmStridedBatchedEx(handle_, s.trans_a, s.trans_b, s.m, s.n, s.k, p.alpha.data(),
                                      p.a.data(), p.types.input, s.lda(), s.stride_a(), p.b.data(),
                                      p.types.input, s.ldb(), s.stride_b(), p.beta.data(),
                                      p.c.data(), p.types.output, s.ldc(), s.stride_c(), s.batch,
                                      compute, MUBLAS_GEMM_DEFAULT_TENSOR_OP);
  }

  // The matrices of a batch, in reverse order in memory.
  struct Pointers {
    DeviceArray<const void*> a, b;
    DeviceArray<void*> c;
    explicit Pointers(const Problem& p)
        : a(all(p.a, p.shape.stride_a(), p.shape.batch)),
          b(all(p.b, p.shape.stride_b(), p.shape.batch)),
          c(writable(p.c, p.shape.stride_c(), p.shape.batch)) {}

    static std::vector<void*> writable(const TypedArray& array, long long stride, int batch) {
      std::vector<void*> pointers;
      for (int i = 0; i < batch; ++i) {
        pointers.push_back(host_narrow::advanced(array.data(), array.type(), i * stride));
      }
      return pointers;
    }
    static std::vector<const void*> all(const TypedArray& array, long long stride, int batch) {
      const auto pointers = writable(array, stride, batch);
      return {pointers.begin(), pointers.end()};
    }
  };

  template <typename Compute>
  mublasStatus_t batched(const Problem& p, Compute compute) {
    const Shape& s = p.shape;
    const Pointers pointers(p);
    const auto status = mublasGemmBatchedEx(
        handle_, s.trans_a, s.trans_b, s.m, s.n, s.k, p.alpha.data(), pointers.a.data(),
        p.types.input, s.lda(), pointers.b.data(), p.types.input, s.ldb(), p.beta.data(),
        pointers.c.data(), p.types.output, s.ldc(), s.batch, compute, MUBLAS_GEMM_DEFAULT);
    stream_.wait();
    return status;
  }
};

TEST_F(ExGemm, mublasGemmEx_multiplies_every_combination_of_types) {
  check(1, [&](const Problem& p) { return plain(p, p.types.compute); });
}

TEST_F(ExGemm, mublasGemmEx_takes_a_data_type_as_compute_type_too) {
  check(1, [&](const Problem& p) { return plain(p, p.types.old_compute); });
}

TEST_F(ExGemm, mublasGemmStridedBatchedEx_multiplies_every_combination_of_types) {
  check(3, [&](const Problem& p) { return strided(p, p.types.compute); });
}

TEST_F(ExGemm, mublasGemmStridedBatchedEx_takes_a_data_type_as_compute_type_too) {
  check(2, [&](const Problem& p) { return strided(p, p.types.old_compute); });
}

TEST_F(ExGemm, mublasGemmBatchedEx_multiplies_every_combination_of_types) {
  check(3, [&](const Problem& p) { return batched(p, p.types.compute); });
}

TEST_F(ExGemm, mublasGemmBatchedEx_takes_a_data_type_as_compute_type_too) {
  check(2, [&](const Problem& p) { return batched(p, p.types.old_compute); });
}

const Shape kShape{MUBLAS_OP_N, MUBLAS_OP_N, 4, 4, 4, 1, 0, 1};

TEST_F(ExGemm, mublasGemmEx_with_beta_0_does_not_read_C) {
  for (const Triple& triple : kTriples) {
    if (triple.output == MUSA_R_32I) continue;
    Problem p(triple, kShape);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const TypedArray c(triple.output, std::vector<Complex>(20, {nan, nan}));
    ASSERT_EQ(mublasGemmEx(handle_, MUBLAS_OP_N, MUBLAS_OP_N, 4, 4, 4, p.alpha.data(), p.a.data(),
                           triple.input, 7, p.b.data(), triple.input, 6, p.beta.data(), c.data(),
                           triple.output, 5, triple.compute, MUBLAS_GEMM_DEFAULT),
              MUBLAS_STATUS_SUCCESS);
    stream_.wait();
    const auto expected = p.expected();
    for (int i = 0; i < 20; ++i) {
      if (i % 5 < 4) {
        ASSERT_EQ(c.values()[i], expected[i]) << triple.input;
      }
    }
  }
}

TEST_F(ExGemm, mublasGemmEx_reads_device_scalars_in_stream_order) {
  scalars_on_device();
  for (const Triple& triple : kTriples) {
    Problem p(triple, {MUBLAS_OP_T, MUBLAS_OP_N, 8, 8, 8, 3, 2, 1});
    const auto expected = p.expected();
    const auto alpha = p.alpha.bytes();
    Roadblock block(stream_);
    std::memset(p.alpha.data(), 0, alpha.size());
    ASSERT_EQ(plain(p, triple.compute), MUBLAS_STATUS_SUCCESS);
    std::memcpy(p.alpha.data(), alpha.data(), alpha.size());
    block.release();
    ASSERT_EQ(p.c.values(), expected) << triple.input;
  }
}

TEST_F(ExGemm, mublasGemmEx_is_near_the_exact_product_of_real_numbers) {
  std::mt19937 random(5);
  const int size = 100;
  std::vector<Complex> a, b;
  for (int i = 0; i < size * size; ++i) {
    a.emplace_back(random() / 4294967296.0 - 0.5);
    b.emplace_back(random() / 4294967296.0 - 0.5);
  }
  // What rounding to the type of the result may change; the sum before is one of floats.
  for (const auto& [type, roundoff] :
       {std::pair{MUSA_R_16F, 0x1p-11}, std::pair{MUSA_R_16BF, 0x1p-8}}) {
    const TypedArray left(type, a), right(type, b), c(type, a);
    const float one = 1, zero = 0;
    ASSERT_EQ(mublasGemmEx(handle_, MUBLAS_OP_N, MUBLAS_OP_N, size, size, size, &one, left.data(),
                           type, size, right.data(), type, size, &zero, c.data(), type, size,
                           MUBLAS_COMPUTE_32F, MUBLAS_GEMM_DEFAULT),
              MUBLAS_STATUS_SUCCESS);
    stream_.wait();
    const auto x = left.values(), y = right.values(), z = c.values();
    for (int i = 0; i < size * size; ++i) {
      double sum = 0, sizes = 0;
      for (int p = 0; p < size; ++p) {
        const double term = x[i % size + p * size].real() * y[p + i / size * size].real();
        sum += term;
        sizes += std::fabs(term);
      }
      const double bound = size * 0x1p-24 * sizes;
      ASSERT_NEAR(z[i].real(), sum, bound + roundoff * (std::fabs(sum) + bound))
          << type << ' ' << i;
    }
  }
}

// Recorded FNV-1a hashes of the result. A different order of summation or a fused product changes
// them.
TEST_F(ExGemm, mublasGemmEx_has_the_same_bits_on_every_CPU) {
  const int m = 130, n = 70, k = 300;
  std::mt19937 random(11);
  const auto numbers = [&](int count) {
    std::vector<Complex> values;
    for (int i = 0; i < count; ++i) values.emplace_back(random() / 4294967296.0 - 0.5);
    return values;
  };
  const TypedArray a(MUSA_R_16F, numbers(m * k)), b(MUSA_R_16F, numbers(k * n)),
      c(MUSA_R_32F, numbers(m * n));
  const float alpha = 0.7F, beta = -0.3F;
  ASSERT_EQ(mublasGemmEx(handle_, MUBLAS_OP_N, MUBLAS_OP_T, m, n, k, &alpha, a.data(), MUSA_R_16F,
                         m, b.data(), MUSA_R_16F, n, &beta, c.data(), MUSA_R_32F, m,
                         MUBLAS_COMPUTE_32F, MUBLAS_GEMM_DEFAULT),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const unsigned char byte : c.bytes()) hash = (hash ^ byte) * 0x100000001B3U;
  EXPECT_EQ(hash, 0x42BCDB0DE181C442U);
}

TEST_F(ExGemm, mublasGemmEx_refuses_what_cannot_be) {
  const Problem p(kTriples[2], kShape);
  const auto call = [&](mublasHandle_t handle, int trans, int m, int lda, const void* alpha,
                        const void* a, musaDataType_t type, int compute, int algo) {
    return mublasGemmEx(handle, static_cast<mublasOperation_t>(trans), MUBLAS_OP_N, m, 4, 4, alpha,
                        a, type, lda, p.b.data(), type, 6, p.beta.data(), p.c.data(), MUSA_R_32F, 5,
                        static_cast<mublasComputeType_t>(compute),
                        static_cast<mublasGemmAlgo_t>(algo));
  };
  const void* const one = p.alpha.data();
  const void* const a = p.a.data();
  EXPECT_EQ(call(handle_, 111, 4, 7, one, a, MUSA_R_16F, 68, 0), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(call(nullptr, 111, 4, 7, one, a, MUSA_R_16F, 68, 0), MUBLAS_STATUS_INVALID_HANDLE);
  EXPECT_EQ(call(handle_, 0, 4, 7, one, a, MUSA_R_16F, 68, 0), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, 111, 4, 7, one, a, MUSA_R_16F, 68, 9), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, 111, -1, 7, one, a, MUSA_R_16F, 68, 0), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(call(handle_, 111, 4, 3, one, a, MUSA_R_16F, 68, 0), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(call(handle_, 111, 4, 7, nullptr, a, MUSA_R_16F, 68, 0), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(call(handle_, 111, 4, 7, one, nullptr, MUSA_R_16F, 68, 0),
            MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(call(handle_, 111, 0, 7, nullptr, nullptr, MUSA_R_16F, 68, 0), MUBLAS_STATUS_SUCCESS);
  for (const auto type : {MUSA_R_64F, MUSA_C_16F, MUSA_R_8U, MUSA_R_8F_E4M3}) {
    EXPECT_EQ(call(handle_, 111, 4, 7, one, a, type, 68, 0), MUBLAS_STATUS_NOT_IMPLEMENTED);
  }
  EXPECT_EQ(call(handle_, 111, 4, 7, one, a, MUSA_R_16F, 70, 0), MUBLAS_STATUS_NOT_IMPLEMENTED);
  stream_.wait();
}

TEST_F(ExGemm, mublasHgemm_multiplies_halves) {
  const Problem p(kTriples[0], {MUBLAS_OP_N, MUBLAS_OP_T, 9, 5, 20, 2, -1, 1});
  const Shape& s = p.shape;
  const auto expected = p.expected();
  const auto half = [](const TypedArray& array) { return static_cast<__half*>(array.data()); };
  EXPECT_EQ(mublasHgemm(handle_, s.trans_a, s.trans_b, s.m, s.n, s.k, half(p.alpha), half(p.a),
                        s.lda(), half(p.b), s.ldb(), half(p.beta), half(p.c), s.ldc()),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(p.c.values(), expected);
}

TEST_F(ExGemm, mublasHgemmStridedBatched_multiplies_halves) {
  const Problem p(kTriples[0], {MUBLAS_OP_T, MUBLAS_OP_N, 9, 5, 20, 2, -1, 3});
  const Shape& s = p.shape;
  const auto expected = p.expected();
  const auto half = [](const TypedArray& array) { return static_cast<__half*>(array.data()); };
  EXPECT_EQ(
      mublasHgemmStridedBatched(handle_, s.trans_a, s.trans_b, s.m, s.n, s.k, half(p.alpha),
                                half(p.a), s.lda(), s.stride_a(), half(p.b), s.ldb(), s.stride_b(),
                                half(p.beta), half(p.c), s.ldc(), s.stride_c(), s.batch),
      MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(p.c.values(), expected);
}

TEST_F(ExGemm, mublasHgemmBatched_multiplies_halves) {
  const Problem p(kTriples[0], {MUBLAS_OP_N, MUBLAS_OP_N, 9, 5, 20, 1, 1, 3});
  const Shape& s = p.shape;
  const auto expected = p.expected();
  const Pointers pointers(p);
  const auto half = [](const TypedArray& array) { return static_cast<__half*>(array.data()); };
  EXPECT_EQ(mublasHgemmBatched(handle_, s.trans_a, s.trans_b, s.m, s.n, s.k, half(p.alpha),
                               reinterpret_cast<const __half* const*>(pointers.a.data()), s.lda(),
                               reinterpret_cast<const __half* const*>(pointers.b.data()), s.ldb(),
                               half(p.beta), reinterpret_cast<__half* const*>(pointers.c.data()),
                               s.ldc(), s.batch),
            MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(p.c.values(), expected);
}

TEST_F(ExGemm, mublasCsyrkEx_computes_one_triangle) {
  const int n = 6, k = 5;
  for (const auto uplo : {MUBLAS_FILL_MODE_UPPER, MUBLAS_FILL_MODE_LOWER}) {
    for (const auto trans : {MUBLAS_OP_N, MUBLAS_OP_T}) {
      const int ld = 8;
      const TypedArray a(MUSA_C_32F, host_tests::small_integers(MUSA_C_32F, ld * 8, 1));
      const TypedArray c(MUSA_C_32F, host_tests::small_integers(MUSA_C_32F, ld * n, 2));
      const muComplex alpha{2, 1}, beta{0, 1};
      auto expected = c.values();
      const auto x = a.values();
      const auto element = [&](int row, int p) {
        return trans == MUBLAS_OP_N ? x[row + p * ld] : x[p + row * ld];
      };
      for (int row = 0; row < n; ++row) {
        for (int column = 0; column < n; ++column) {
          if (uplo == MUBLAS_FILL_MODE_UPPER ? row > column : row < column) continue;
          Complex sum = 0;
          for (int p = 0; p < k; ++p) sum += element(row, p) * element(column, p);
          Complex& cell = expected[row + column * ld];
          cell = Complex(2, 1) * sum + Complex(0, 1) * cell;
        }
      }
      ASSERT_EQ(mublasCsyrkEx(handle_, uplo, trans, n, k, &alpha, a.data(), MUSA_C_32F, ld, &beta,
                              c.data(), MUSA_C_32F, ld),
                MUBLAS_STATUS_SUCCESS);
      stream_.wait();
      ASSERT_EQ(c.values(), expected);
    }
  }
}

TEST_F(ExGemm, mublasCsyrkEx_refuses_what_cannot_be) {
  const TypedArray a(MUSA_C_32F, std::vector<Complex>(16));
  const muComplex one{1, 0};
  const auto call = [&](mublasHandle_t handle, int uplo, int trans, int n, const void* matrix,
                        musaDataType_t type) {
    return mublasCsyrkEx(handle, static_cast<mublasFillMode_t>(uplo),
                         static_cast<mublasOperation_t>(trans), n, 2, &one, matrix, type, 4, &one,
                         a.data(), MUSA_C_32F, 4);
  };
  EXPECT_EQ(call(nullptr, 121, 111, 2, a.data(), MUSA_C_32F), MUBLAS_STATUS_INVALID_HANDLE);
  EXPECT_EQ(call(handle_, 123, 111, 2, a.data(), MUSA_C_32F), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, 121, 113, 2, a.data(), MUSA_C_32F), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, 121, 111, 5, a.data(), MUSA_C_32F), MUBLAS_STATUS_INVALID_SIZE);
  EXPECT_EQ(call(handle_, 121, 111, 2, nullptr, MUSA_C_32F), MUBLAS_STATUS_INVALID_POINTER);
  EXPECT_EQ(call(handle_, 121, 111, 2, a.data(), MUSA_C_8I), MUBLAS_STATUS_NOT_IMPLEMENTED);
}

}  // namespace
