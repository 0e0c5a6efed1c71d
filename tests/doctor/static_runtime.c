// The traces of NVIDIA's static runtime in a stripped program: its strings.
#include <stdio.h>

int main(void) {
  static const char* const volatile names[] = {"libcuda.so.1", "cudaErrorCudartUnloading",
                                               "/cudart.shm.%x.%x.%llx"};
  for (int i = 0; i < 3; ++i) puts(names[i]);
  return 0;
}
