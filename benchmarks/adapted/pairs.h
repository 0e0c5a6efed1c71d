// Adapted calls, and the MUSA calls that they become.
#pragma once

#include <cstddef>

namespace bench {

struct AdaptedPair {
  const char* name;   // On the command line.
  const char* title;  // In the table.
};

constexpr AdaptedPair kAdaptedPairs[] = {
    {"direct", "mublasSgemm against itself"},
    {"sgemm", "cublasSgemm_v2: 2 enumerators"},
    {"strsm", "cublasStrsm_v2: 4 enumerators"},
    {"saxpy", "cublasSaxpy_v2: the status"},
    {"gemm_ex", "cublasGemmEx: 7 enumerators"},
    {"sgemm_64", "cublasSgemm_v2_64: 2, and 6 integers"},
    {"curand", "curandCreateGenerator: 1 enumerator"},
};

}  // namespace bench
