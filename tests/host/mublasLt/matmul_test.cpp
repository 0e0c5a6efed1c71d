#include <cmath>
#include <limits>

#include "tests/host/mublasLt/with_descriptors.h"

namespace {

using host_tests::Complex;
using host_tests::DeviceArray;
using host_tests::Layout;
using host_tests::Matmul;
using host_tests::Roadblock;
using host_tests::stored_as;
using host_tests::TypedArray;

struct Types {
  musaDataType_t a, b, c, d;
  mublasComputeType_t compute;
  musaDataType_t scale;
};

const Types kTypes[] = {
    {MUSA_R_16F, MUSA_R_16F, MUSA_R_16F, MUSA_R_16F, MUBLAS_COMPUTE_16F, MUSA_R_16F},
    {MUSA_R_16F, MUSA_R_16F, MUSA_R_16F, MUSA_R_16F, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_16F, MUSA_R_16F, MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_16BF, MUSA_R_16BF, MUSA_R_16BF, MUSA_R_16BF, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_16BF, MUSA_R_16BF, MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_8I, MUSA_R_8I, MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_8I, MUSA_R_8I, MUSA_R_32I, MUSA_R_32I, MUBLAS_COMPUTE_32I, MUSA_R_32I},
    {MUSA_R_8I, MUSA_R_8I, MUSA_R_8I, MUSA_R_8I, MUBLAS_COMPUTE_32I, MUSA_R_32F},
    {MUSA_R_8F_E4M3, MUSA_R_8F_E4M3, MUSA_R_16BF, MUSA_R_8F_E4M3, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_8F_E4M3, MUSA_R_8F_E5M2, MUSA_R_16F, MUSA_R_8F_E5M2, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_8F_E5M2, MUSA_R_8F_E4M3, MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_32F, MUSA_R_32F, MUSA_R_32F, MUSA_R_32F, MUBLAS_COMPUTE_32F, MUSA_R_32F},
    {MUSA_R_64F, MUSA_R_64F, MUSA_R_64F, MUSA_R_64F, MUBLAS_COMPUTE_64F, MUSA_R_64F},
    {MUSA_C_32F, MUSA_C_32F, MUSA_C_32F, MUSA_C_32F, MUBLAS_COMPUTE_32F, MUSA_C_32F},
    {MUSA_C_64F, MUSA_C_64F, MUSA_C_64F, MUSA_C_64F, MUBLAS_COMPUTE_64F, MUSA_C_64F},
};

// A matrix with its layout, in row or column order.
struct Held {
  int rows, columns, ld, stride;
  bool by_rows;
  TypedArray array;
  Layout layout;

  Held(musaDataType_t type, int r, int c, bool rows_first, int batch, unsigned seed)
      : rows(r),
        columns(c),
        ld((rows_first ? c : r) + 2),
        stride(ld * (rows_first ? r : c) + 1),
        by_rows(rows_first),
        array(type, host_tests::small_integers(type, stride * batch, seed)),
        layout(type, r, c, ld) {
    layout.set(MUBLASLT_MATRIX_LAYOUT_ORDER,
               std::int32_t{rows_first ? MUBLASLT_ORDER_ROW : MUBLASLT_ORDER_COL});
    layout.set(MUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{batch});
    layout.set(MUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t{stride});
  }
  int index(int row, int column, int i) const {
    return i * stride + (by_rows ? column + row * ld : row + column * ld);
  }
};

Complex operated(const Held& matrix, const std::vector<Complex>& values, mublasOperation_t trans,
                 int row, int column, int i) {
  if (trans == MUBLAS_OP_N) return values[matrix.index(row, column, i)];
  const Complex value = values[matrix.index(column, row, i)];
  return trans == MUBLAS_OP_C ? std::conj(value) : value;
}

class LtMatmul : public host_tests::WithLtHandle {
 protected:
  void check(const Types& t, mublasOperation_t ta, mublasOperation_t tb, int order, int m, int n,
             int k, double alpha, double beta, bool on_device = false) {
    const int batch = 2;
    const bool na = ta == MUBLAS_OP_N, nb = tb == MUBLAS_OP_N;
    Held a(t.a, na ? m : k, na ? k : m, order & 1, batch, 1);
    Held b(t.b, nb ? k : n, nb ? n : k, order & 2, batch, 2);
    Held c(t.c, m, n, order & 4, batch, 3), d(t.d, m, n, order & 8, batch, 4);
    const auto x = a.array.values(), y = b.array.values(), z = c.array.values();
    auto expected = d.array.values();
    for (int i = 0; i < batch; ++i) {
      for (int row = 0; row < m; ++row) {
        for (int column = 0; column < n; ++column) {
          Complex sum = 0;
          for (int p = 0; p < k; ++p) {
            sum += operated(a, x, ta, row, p, i) * operated(b, y, tb, p, column, i);
          }
          const Complex before = beta == 0 ? 0 : beta * z[c.index(row, column, i)];
          expected[d.index(row, column, i)] = stored_as(t.d, alpha * sum + before);
        }
      }
    }
    Matmul matmul(t.compute, t.scale);
    matmul.set(MUBLASLT_MATMUL_DESC_TRANSA, std::int32_t{ta});
    matmul.set(MUBLASLT_MATMUL_DESC_TRANSB, std::int32_t{tb});
    if (on_device) {
      matmul.set(MUBLASLT_MATMUL_DESC_POINTER_MODE, std::int32_t{MUBLASLT_POINTER_MODE_DEVICE});
    }
    const TypedArray one(t.scale, {alpha}), two(t.scale, {beta});
    ASSERT_EQ(mublasLtMatmul(handle_, matmul.get(), one.data(), a.array.data(), a.layout.get(),
                             b.array.data(), b.layout.get(), two.data(),
                             beta == 0 && !on_device ? nullptr : c.array.data(), c.layout.get(),
                             d.array.data(), d.layout.get(), nullptr, nullptr, 0, stream_.get()),
              MUBLAS_STATUS_SUCCESS)
        << t.a << ' ' << t.b << ' ' << t.d;
    stream_.wait();
    ASSERT_EQ(d.array.values(), expected) << t.a << ' ' << t.d << ' ' << ta << ' ' << tb << ' '
                                          << order << ' ' << m << 'x' << n << 'x' << k;
  }

  // D = epilogue(A * B), a 3 x 2 matrix. A is 3 x 1, B is 1 x 2.
  std::vector<Complex> with_epilogue(Matmul& matmul, const std::vector<Complex>& column) {
    const TypedArray a(MUSA_R_32F, column), b(MUSA_R_32F, {1, 2});
    const TypedArray d(MUSA_R_32F, std::vector<Complex>(6, {7}));
    const Layout la(MUSA_R_32F, 3, 1, 3), lb(MUSA_R_32F, 1, 2, 1), ld(MUSA_R_32F, 3, 2, 3);
    const float one = 1, zero = 0;
    EXPECT_EQ(
        mublasLtMatmul(handle_, matmul.get(), &one, a.data(), la.get(), b.data(), lb.get(), &zero,
                       d.data(), ld.get(), d.data(), ld.get(), nullptr, nullptr, 0, stream_.get()),
        MUBLAS_STATUS_SUCCESS);
    stream_.wait();
    return d.values();
  }
};

TEST_F(LtMatmul, mublasLtMatmul_multiplies_all_types_operations_and_orders) {
  for (const Types& types : kTypes) {
    for (const auto ta : {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C}) {
      for (const auto tb : {MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C}) {
        for (int order = 0; order < 16; ++order) check(types, ta, tb, order, 5, 3, 4, 2, -1);
        check(types, ta, tb, 9, 70, 66, 35, 1, 0);
        check(types, ta, tb, 0, 4, 3, 0, 1, 2);
      }
    }
    check(types, MUBLAS_OP_T, MUBLAS_OP_N, 0, 5, 6, 7, 3, 2, true);
  }
}

double exact_gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

TEST_F(LtMatmul, mublasLtMatmul_applies_epilogues) {
  const std::vector<Complex> column = {-1, 0.5, 2};
  const double products[] = {-1, 0.5, 2, -2, 1, 4};
  const TypedArray bias(MUSA_R_32F, {0.25, -3, 1});
  for (const int epilogue : {1, 2, 4, 6, 32, 36, 130, 134, 160, 164}) {
    Matmul matmul(MUBLAS_COMPUTE_32F, MUSA_R_32F);
    matmul.set(MUBLASLT_MATMUL_DESC_EPILOGUE, std::int32_t{epilogue});
    matmul.set(MUBLASLT_MATMUL_DESC_BIAS_POINTER, bias.data());
    const bool mask = (epilogue & 2) != 0;
    const DeviceArray<float> auxiliary(std::vector<float>(16, 5.0F));
    matmul.set(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, auxiliary.data());
    matmul.set(MUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{mask ? 128 : 8});
    const auto result = with_epilogue(matmul, column);
    const auto kept = auxiliary.values();
    for (int i = 0; i < 6; ++i) {
      double x = products[i] + ((epilogue & 4) != 0 ? bias.values()[i % 3].real() : 0);
      if ((epilogue & 128) != 0 && mask) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(kept.data());
        EXPECT_EQ((bytes[i / 3 * 16] >> (i % 3)) & 1, x > 0 ? 1 : 0) << epilogue << ' ' << i;
      } else if ((epilogue & 128) != 0) {
        EXPECT_EQ(kept[i / 3 * 8 + i % 3], static_cast<float>(x)) << epilogue << ' ' << i;
      }
      if (mask) x = std::max(x, 0.0);
      if ((epilogue & 32) != 0) x = exact_gelu(x);
      EXPECT_NEAR(result[i].real(), x, std::fabs(x) * 0x1p-23) << epilogue << ' ' << i;
    }
  }
}

TEST_F(LtMatmul, mublasLtMatmul_scales_8_bit_floats) {
  const TypedArray a(MUSA_R_8F_E4M3, {3}), b(MUSA_R_8F_E4M3, {4}), c(MUSA_R_16BF, {2}),
      d(MUSA_R_8F_E4M3, {0});
  const Layout l8(MUSA_R_8F_E4M3, 1, 1, 1), l16(MUSA_R_16BF, 1, 1, 1);
  const DeviceArray<float> factors({2, 0.5, 10, 0.25, 0});
  Matmul matmul(MUBLAS_COMPUTE_32F, MUSA_R_32F);
  matmul.set(MUBLASLT_MATMUL_DESC_A_SCALE_POINTER, factors.data());
  matmul.set(MUBLASLT_MATMUL_DESC_B_SCALE_POINTER, factors.data() + 1);
  matmul.set(MUBLASLT_MATMUL_DESC_C_SCALE_POINTER, factors.data() + 2);
  matmul.set(MUBLASLT_MATMUL_DESC_D_SCALE_POINTER, factors.data() + 3);
  matmul.set(MUBLASLT_MATMUL_DESC_AMAX_D_POINTER, factors.data() + 4);
  const float one = 1;
  ASSERT_EQ(
      mublasLtMatmul(handle_, matmul.get(), &one, a.data(), l8.get(), b.data(), l8.get(), &one,
                     c.data(), l16.get(), d.data(), l8.get(), nullptr, nullptr, 0, stream_.get()),
      MUBLAS_STATUS_SUCCESS);
  stream_.wait();
  EXPECT_EQ(factors.values()[4], 32.0F);
  EXPECT_EQ(d.values()[0], 8.0);
}

TEST_F(LtMatmul, mublasLtMatmul_refuses_what_cannot_be) {
  const TypedArray a(MUSA_R_32F, std::vector<Complex>(16));
  const Layout square(MUSA_R_32F, 4, 4, 4), narrow(MUSA_R_32F, 4, 3, 4),
      short_ld(MUSA_R_32F, 4, 4, 3);
  const Layout integer(MUSA_R_8I, 4, 4, 4), empty(MUSA_R_32F, 0, 4, 4);
  Matmul matmul(MUBLAS_COMPUTE_32F, MUSA_R_32F);
  const float one = 1;
  const mublasLtMatmulAlgo_t foreign{};
  const auto call = [&](mublasLtHandle_t handle, mublasLtMatmulDesc_t description,
                        mublasLtMatrixLayout_t la, void* d,
                        const mublasLtMatmulAlgo_t* algorithm = nullptr) {
    return mublasLtMatmul(handle, description, &one, a.data(), la, a.data(), square.get(), &one,
                          a.data(), square.get(), d, square.get(), algorithm, nullptr, 0,
                          stream_.get());
  };
  EXPECT_EQ(call(handle_, matmul.get(), square.get(), a.data()), MUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(call(nullptr, matmul.get(), square.get(), a.data()), MUBLAS_STATUS_INVALID_HANDLE);
  EXPECT_EQ(call(handle_, nullptr, square.get(), a.data()), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, matmul.get(), nullptr, a.data()), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, matmul.get(), narrow.get(), a.data()), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, matmul.get(), short_ld.get(), a.data()), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, matmul.get(), empty.get(), a.data()), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, matmul.get(), integer.get(), a.data()), MUBLAS_STATUS_NOT_IMPLEMENTED);
  EXPECT_EQ(call(handle_, matmul.get(), square.get(), nullptr), MUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(handle_, matmul.get(), square.get(), a.data(), &foreign),
            MUBLAS_STATUS_INVALID_VALUE);
  matmul.set(MUBLASLT_MATMUL_DESC_EPILOGUE, std::int32_t{MUBLASLT_EPILOGUE_BIAS});
  EXPECT_EQ(call(handle_, matmul.get(), square.get(), a.data()), MUBLAS_STATUS_INVALID_VALUE);
  matmul.set(MUBLASLT_MATMUL_DESC_EPILOGUE, std::int32_t{MUBLASLT_EPILOGUE_DGELU});
  EXPECT_EQ(call(handle_, matmul.get(), square.get(), a.data()), MUBLAS_STATUS_NOT_IMPLEMENTED);
  stream_.wait();
}

TEST_F(LtMatmul, mublasLtMatmul_runs_in_the_stream) {
  const TypedArray a(MUSA_R_16F, {3}), d(MUSA_R_16F, {0});
  const Layout one_by_one(MUSA_R_16F, 1, 1, 1);
  Matmul matmul(MUBLAS_COMPUTE_32F, MUSA_R_32F);
  float one = 1, zero = 0;
  Roadblock block(stream_);
  ASSERT_EQ(mublasLtMatmul(handle_, matmul.get(), &one, a.data(), one_by_one.get(), a.data(),
                           one_by_one.get(), &zero, nullptr, one_by_one.get(), d.data(),
                           one_by_one.get(), nullptr, nullptr, 0, stream_.get()),
            MUBLAS_STATUS_SUCCESS);
  one = 100;
  block.release();
  EXPECT_EQ(d.values()[0], 9.0);
}

}  // namespace
