/* Prints which libraries it runs with. The declarations stand for CUDA's headers. */
#include <stdio.h>
#include <torchada/torchada.h>

int cudaRuntimeGetVersion(int* version);
int cublasGetProperty(int type, int* value);
int ncclGetVersion(int* version);

int main(void) {
  int runtime = 0, blas = 0, nccl = 0;
  if (cudaRuntimeGetVersion(&runtime) != 0 || cublasGetProperty(0, &blas) != 0 ||
      ncclGetVersion(&nccl) != 0)
    return 1;
  printf("active %d, runtime %d, cuBLAS %d, NCCL %d, cudaMalloc %d\n", torchada_active(),
         runtime / 1000, blas, nccl / 10000, (int)torchada_standing("cudaMalloc"));
  return 0;
}
