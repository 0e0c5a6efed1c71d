// A linked CUDA program that lists the devices. The declarations stand for <cuda_runtime_api.h>,
// which this machine may lack. The program is linked with -lcudart, as with NVIDIA's library.
#include <stdio.h>

int cudaGetDeviceCount(int* count);
int cudaDeviceGetAttribute(int* value, int attribute, int device);
int cudaRuntimeGetVersion(int* version);
int cudaMemGetInfo(size_t* available, size_t* total);
const char* cudaGetErrorString(int status);

static void check(int status, const char* what) {
  if (status != 0) printf("devices: %s: %s\n", what, cudaGetErrorString(status));
}

int main(void) {
  int count = 0, version = 0, multiprocessors = 0;
  size_t available = 0, total = 0;
  check(cudaRuntimeGetVersion(&version), "version");
  check(cudaGetDeviceCount(&count), "count");
  check(cudaDeviceGetAttribute(&multiprocessors, 16, 0), "multiprocessors");
  check(cudaMemGetInfo(&available, &total), "memory");
  printf("devices: CUDA %d.%d, %d device(s), the first with %d multiprocessors and %zu MiB\n",
         version / 1000, version % 1000 / 10, count, multiprocessors, total >> 20);
  return count > 0 ? 0 : 1;
}
