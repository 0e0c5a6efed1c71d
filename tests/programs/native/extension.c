// An extension module that brings the CUDA runtime into a process because it is linked with it.
#include "cuda_prototypes.h"

int extension_touch_device(void) {
  void* memory = 0;
  const int status = cudaMalloc(&memory, 256);
  return status != 0 ? status : cudaFree(memory);
}
