// What NVIDIA's static runtime leaves in a stripped program: its strings.
#include <stdio.h>

int main(void) {
  static const char* const volatile names[] = {"libcuda.so.1", "cudaStreamAttachMemAsync",
                                               "cudaLaunchHostFunc", "cudaStreamEndCapture"};
  for (int i = 0; i < 4; ++i) puts(names[i]);
  return 0;
}
