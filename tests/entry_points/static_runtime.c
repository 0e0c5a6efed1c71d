// A program with the static CUDA runtime, which asks the driver for private interfaces. Prints what
// the runtime returns.
#include <stdio.h>

int cudaGetDeviceCount(int* count);
int cudaMalloc(void** memory, size_t size);
int cudaDriverGetVersion(int* version);

int main(void) {
  int count = -1, version = -1;
  void* memory = NULL;
  printf("cudaGetDeviceCount %d\n", cudaGetDeviceCount(&count));
  printf("cudaMalloc %d\n", cudaMalloc(&memory, 16));
  const int status = cudaDriverGetVersion(&version);
  printf("cudaDriverGetVersion %d %d\n", status, version);
  return 0;
}
