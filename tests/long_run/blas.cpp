// Products of matrices by cuBLAS and cuBLASLt.
#include "tests/long_run/work.h"

namespace {
constexpr int kSize = 24;

// Column by column, as in BLAS.
Numbers product(const Numbers& left, const Numbers& right) {
  Numbers out(kSize * kSize);
  for (int column = 0; column < kSize; ++column) {
    for (int row = 0; row < kSize; ++row) {
      for (int k = 0; k < kSize; ++k)
        out[column * kSize + row] += left[k * kSize + row] * right[column * kSize + k];
    }
  }
  return out;
}
}  // namespace

void use_cublas(unsigned seed) {
  const Numbers left = numbers(kSize * kSize, seed), right = numbers(kSize * kSize, seed + 5);
  const Memory a(left), b(right), c(kSize * kSize);
  const Stream stream;
  const float one = 1, zero = 0;
  cublasHandle_t handle = nullptr;
  OK(cublasCreate_v2(&handle));
  OK(cublasSetStream_v2(handle, stream));
  OK(cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_N, kSize, kSize, kSize, &one, a.get(), kSize,
                    b.get(), kSize, &zero, c.get(), kSize));
  stream.wait();
  compare("cuBLAS", product(left, right), c.values());
  OK(cublasDestroy_v2(handle));
}

void use_cublasLt(unsigned seed) {
  const Numbers left = numbers(kSize * kSize, seed), right = numbers(kSize * kSize, seed + 2);
  const Memory a(left), b(right), c(kSize * kSize);
  const Stream stream;
  const float one = 1, zero = 0;
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  OK(cublasLtCreate(&handle));
  // cudaDataType and cudaDataType_t are one type in CUDA's headers, but two in the emitted
  // declarations.
  OK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, static_cast<cudaDataType_t>(0)));
  OK(cublasLtMatrixLayoutCreate(&layout, static_cast<cudaDataType>(0), kSize, kSize, kSize));
  OK(cublasLtMatmul(handle, operation, &one, a.get(), layout, b.get(), layout, &zero, c.get(),
                    layout, c.get(), layout, nullptr, nullptr, 0, stream));
  stream.wait();
  compare("cuBLASLt", product(left, right), c.values());
  OK(cublasLtMatrixLayoutDestroy(layout));
  OK(cublasLtMatmulDescDestroy(operation));
  OK(cublasLtDestroy(handle));
}
