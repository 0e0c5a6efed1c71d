// A muBLAS whose functions do nothing, so that only the call itself costs time.
#include "benchmarks/adapted/functions.h"

int mublasSgemm(void*, int, int, int, int, int, const float*, const float*, int, const float*, int,
                const float*, float*, int) {
  return 0;
}
int mublasStrsm(void*, int, int, int, int, int, int, const float*, const float*, int, float*, int) {
  return 0;
}
int mublasSaxpy(void*, int, const float*, const float*, int, float*, int) { return 0; }
int mublasSscal(void*, int, const float*, float*, int) { return 0; }
int adapted_gemm_ex(void*, int, int, int, int, int, const void*, const void*, int, int, const void*,
                    int, int, const void*, void*, int, int, int, int) {
  return 0;
}
