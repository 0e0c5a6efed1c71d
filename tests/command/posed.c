// A MUSA runtime for tests of the command. The environment selects its behaviour.
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number(const char* name) {
  const char* text = getenv(name);
  return text ? atoi(text) : 0;
}

__attribute__((constructor)) static void early(void) {
  if (number("POSED_PRINT")) {
    printf("posed: early\n");
    fflush(stdout);
  }
  if (number("POSED_EARLY_SIGNAL")) {
    signal(number("POSED_EARLY_SIGNAL"), SIG_DFL);
    raise(number("POSED_EARLY_SIGNAL"));
  }
}

int musaGetDeviceCount(int* count) {
  if (number("POSED_PRINT")) {
    printf("posed: hello\n");
    fflush(stdout);
  }
  if (number("POSED_SIGNAL")) {
    signal(number("POSED_SIGNAL"), SIG_DFL);
    raise(number("POSED_SIGNAL"));
  }
  if (number("POSED_EXIT")) exit(3);
  while (number("POSED_HANG")) pause();
  if (number("POSED_STATUS")) return number("POSED_STATUS");
  *count = 1;
  return 0;
}

int musaGetDeviceProperties(void* properties, int device) {
  (void)device;
  strcpy(properties, "Posed S4000");
  return 0;
}

// These are the numbers of CUDA 11's attributes, which equal MUSA's.
int musaDeviceGetAttribute(int* value, int attribute, int device) {
  (void)device;
  switch (attribute) {
    case 10:
      *value = 128;
      return 0;
    case 16:
      *value = 48;
      return 0;
    case 75:
    case 76:
      *value = 2;
      return 0;
    default:
      return 1;
  }
}

int musaMemGetInfo(size_t* available, size_t* total) {
  *available = (size_t)47 << 30;
  *total = (size_t)48 << 30;
  return 0;
}

int musaGetDevice(int* device) {
  *device = 0;
  return 0;
}

int musaSetDevice(int device) { return device == 0 ? 0 : 101; }
int musaPeekAtLastError(void) { return 0; }
int musaGetLastError(void) { return 0; }

int musaRuntimeGetVersion(int* version) {
  *version = 50207;
  return 0;
}

int musaDriverGetVersion(int* version) {
  *version = 50003;
  return 0;
}
