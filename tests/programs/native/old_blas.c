// A program for cuBLAS's old interface, compiled with NVIDIA's own cublas.h: y = A x with its
// names, letters and scalars by value.
#include <cublas.h>
#include <stdio.h>

#define REQUIRE(condition)                                                  \
  if (!(condition)) {                                                       \
    fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
    return 1;                                                               \
  }

int main(void) {
  const float a[4] = {1, 2, 3, 4};
  const float x[2] = {1, 10};
  float y[2] = {0, 0};
  void *da = NULL, *dx = NULL, *dy = NULL;
  REQUIRE(cublasInit() == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasAlloc(4, sizeof(float), &da) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasAlloc(2, sizeof(float), &dx) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasAlloc(2, sizeof(float), &dy) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasSetMatrix(2, 2, sizeof(float), a, 2, da, 2) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasSetVector(2, sizeof(float), x, 1, dx, 1) == CUBLAS_STATUS_SUCCESS);
  cublasSgemv('N', 2, 2, 2.0f, da, 2, dx, 1, 0.0f, dy, 1);
  REQUIRE(cublasGetError() == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasGetVector(2, sizeof(float), dy, 1, y, 1) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(y[0] == 62.0f && y[1] == 84.0f);
  REQUIRE(cublasSdot(2, dx, 1, dy, 1) == 902.0f);
  const cuComplex square = cublasCdotu(1, da, 1, da, 1);
  REQUIRE(cuCrealf(square) == -3.0f && cuCimagf(square) == 4.0f);
  REQUIRE(cublasIsamax(2, dy, 1) == 2);
  cublasSgemv('?', 2, 2, 2.0f, da, 2, dx, 1, 0.0f, dy, 1);
  REQUIRE(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
  REQUIRE(cublasGetError() == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasFree(da) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasFree(dx) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasFree(dy) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasShutdown() == CUBLAS_STATUS_SUCCESS);
  return 0;
}
