// libtorchada.so from C: before and after a CUDA library is loaded and MUSA is open.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torchada/torchada.h>

static int failures = 0;

static void check(int holds, const char* what) {
  if (holds) return;
  printf("failed: %s\n", what);
  ++failures;
}
#define CHECK(condition) check(condition, #condition)

static void standings(void) {
  CHECK(torchada_standing_in("cudaMalloc", 12) == TORCHADA_SUPPORTED);
  CHECK(torchada_standing_in("cublasSgemm_v2", 11) == TORCHADA_SUPPORTED);
  CHECK(torchada_standing_in("cudaLibraryGetManaged", 13) == TORCHADA_UNSUPPORTED);
  CHECK(torchada_standing_in("cudaGetLastError", 13) == TORCHADA_EMULATED);
  CHECK(torchada_standing_in("ncclAllReduce", 11) != TORCHADA_UNKNOWN);
  CHECK(torchada_standing_in("curandGetVersion", 12) != TORCHADA_UNKNOWN);
  // Only CUDA 12 has this function.
  CHECK(torchada_standing_in("cudaGetDeviceProperties_v2", 12) != TORCHADA_UNKNOWN);
  CHECK(torchada_standing_in("cudaGetDeviceProperties_v2", 13) == TORCHADA_UNKNOWN);
  CHECK(torchada_standing_in("cudaMalloc", 14) == TORCHADA_UNKNOWN);
  CHECK(torchada_standing_in("cudaMallo", 12) == TORCHADA_UNKNOWN);
  CHECK(torchada_standing_in("cudaMallocc", 12) == TORCHADA_UNKNOWN);
  CHECK(torchada_standing_in("", 12) == TORCHADA_UNKNOWN);
  CHECK(torchada_standing_in("\377", 12) == TORCHADA_UNKNOWN);
  CHECK(torchada_standing_in(NULL, 12) == TORCHADA_UNKNOWN);
  CHECK(torchada_standing(NULL) == TORCHADA_UNKNOWN);
  CHECK(strcmp(torchada_standing_name(TORCHADA_ASSUMED), "assumed") == 0);
  CHECK(strcmp(torchada_standing_name((enum torchada_standing_t)99), "unknown") == 0);
}

// Reads lines "NAME MAJOR STANDING" from standard input.
static void read_expected(void) {
  char name[256], standing[32];
  int major = 0, count = 0;
  while (scanf("%255s %d %31s", name, &major, standing) == 3) {
    ++count;
    if (strcmp(torchada_standing_name(torchada_standing_in(name, major)), standing) == 0) continue;
    printf("failed: %s at %d is not %s\n", name, major, standing);
    ++failures;
  }
  printf("%d symbols\n", count);
  CHECK(count > 1000);
}

static void nothing_is_loaded(void) {
  CHECK(torchada_active() == 0);
  CHECK(strcmp(torchada_backend(), "none") == 0);
  CHECK(strcmp(torchada_backend_path(), "") == 0);
  CHECK(torchada_sdk() == 0);
  CHECK(torchada_standing("cudaGetDeviceProperties_v2") != TORCHADA_UNKNOWN);
}

// usage: api_test RUNTIME BACKEND SDK, the expected values. BACKEND is - for none.
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  standings();
  read_expected();
  nothing_is_loaded();
  void* runtime = dlopen(argv[1], RTLD_NOW);
  if (!runtime) {
    printf("failed: %s\n", dlerror());
    return 1;
  }
  CHECK(torchada_active() == 1);
  // Neither loading nor querying opens MUSA.
  CHECK(strcmp(torchada_backend(), "none") == 0);
  // The major is that of the loaded library.
  const int is_12 = strstr(argv[1], ".so.12") != NULL;
  CHECK((torchada_standing("cudaGetDeviceProperties_v2") != TORCHADA_UNKNOWN) == is_12);
  int (*count)(int*) = (int (*)(int*))dlsym(runtime, "cudaGetDeviceCount");
  int devices = 0;
  count(&devices);
  const int is_there = strcmp(argv[2], "-") != 0;
  CHECK((devices > 0) == is_there);
  CHECK(strcmp(torchada_backend(), is_there ? argv[2] : "none") == 0);
  CHECK((strstr(torchada_backend_path(), "libmusart.so") != NULL) == is_there);
  CHECK(torchada_sdk() / 100 == atoi(argv[3]) / 100);
  printf("%d failures\n", failures);
  return failures != 0;
}
