// An extension module linked with the CUDA runtime, which it thereby loads into a process.
#include "cuda_prototypes.h"

int extension_touch_device(void) {
  void* memory = 0;
  const int status = cudaMalloc(&memory, 256);
  return status != 0 ? status : cudaFree(memory);
}
