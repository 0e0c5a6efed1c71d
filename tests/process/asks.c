// A program that is run as set-user-id and under strace. It makes one call and prints the result.
#include <stdio.h>
#include <stdlib.h>

int cudaGetDeviceCount(int* count);

int main(void) {
  int count = -7;
  const int status = cudaGetDeviceCount(&count);
  const char* mapped = getenv("MUSA_VISIBLE_DEVICES");
  printf("%d %d %s\n", status, count, mapped ? mapped : "unset");
  return 0;
}
