// The MUSA functions whose adapters are measured, and our exports that lead to them.
#pragma once

#include <cstddef>
#include <cstdint>

#define ADAPTED_GEMM_EX                                                                      \
  "_Z12mublasGemmExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvS3_14musaDataType_tiS3_S4_" \
  "iS3_PvS4_i19mublasComputeType_t16mublasGemmAlgo_t"

extern "C" {
int mublasSgemm(void*, int, int, int, int, int, const float*, const float*, int, const float*, int,
                const float*, float*, int);
int mublasStrsm(void*, int, int, int, int, int, int, const float*, const float*, int, float*, int);
int mublasSaxpy(void*, int, const float*, const float*, int, float*, int);
int adapted_gemm_ex(void*, int, int, int, int, int, const void*, const void*, int, int, const void*,
                    int, int, const void*, void*, int, int, int, int) __asm__(ADAPTED_GEMM_EX);
int mublasSscal(void*, int, const float*, float*, int);
int murandCreateGenerator(void**, int);
int murandGenerateNormal(void*, float*, std::size_t, float, float);

int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int, const float*,
                   int, const float*, float*, int);
int cublasSgemm_v2_64(void*, int, int, std::int64_t, std::int64_t, std::int64_t, const float*,
                      const float*, std::int64_t, const float*, std::int64_t, const float*, float*,
                      std::int64_t);
int cublasStrsm_v2(void*, int, int, int, int, int, int, const float*, const float*, int, float*,
                   int);
int cublasSaxpy_v2(void*, int, const float*, const float*, int, float*, int);
int cublasGemmEx(void*, int, int, int, int, int, const void*, const void*, int, int, const void*,
                 int, int, const void*, void*, int, int, int, int);
int cublasSscal_v2_64(void*, std::int64_t, const float*, float*, std::int64_t);
int curandCreateGenerator(void**, int);
int curandGenerateNormal(void*, float*, std::size_t, float, float);
}
