// Finds the driver's functions as PyTorch's c10 DriverAPI does: through the runtime, by name and
// version, without linking libcuda. Then calls some of them. Prints "NAME found", "NAME missing" or
// a complaint; exits with 1 after a complaint.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int cudaGetDeviceCount(int* count);
int cudaDriverGetVersion(int* version);
int cudaFree(void* memory);
#if CUDA_MAJOR == 11
int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags);
#else
int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                     unsigned long long flags, int* result);
#endif

static const struct {
  const char* name;
  unsigned version;
} kFunctions[] = {
    {"cuDeviceGetAttribute", 12000},
    {"cuMemAddressReserve", 12000},
    {"cuMemRelease", 12000},
    {"cuMemMap", 12000},
    {"cuMemAddressFree", 12000},
    {"cuMemSetAccess", 12000},
    {"cuMemUnmap", 12000},
    {"cuMemCreate", 12000},
    {"cuMemGetAllocationGranularity", 12000},
    {"cuMemExportToShareableHandle", 12000},
    {"cuMemImportFromShareableHandle", 12000},
    {"cuMemsetD32Async", 12000},
    {"cuStreamWriteValue32", 12000},
    {"cuGetErrorString", 12000},
    {"cuGetErrorName", 12000},
    {"cuPointerGetAttribute", 12000},
    {"cuMemGetAddressRange", 12000},
    {"cuDevicePrimaryCtxGetState", 12000},
    {"cuCtxGetCurrent", 12000},
    {"cuCtxSetCurrent", 12000},
#if CUDA_MAJOR > 11
    {"cuMulticastCreate", 12030},
    {"cuMulticastAddDevice", 12030},
    {"cuMulticastBindMem", 12030},
    {"cuMulticastUnbind", 12030},
    {"cuGreenCtxCreate", 12080},
    {"cuGreenCtxDestroy", 12080},
    {"cuCtxFromGreenCtx", 12080},
#endif
};

static int complaints;

#define EXPECT(condition, text)        \
  do {                                 \
    if (!(condition)) {                \
      printf("complaint: %s\n", text); \
      ++complaints;                    \
    }                                  \
  } while (0)

// Like c10: a function that is not found is null, and used only where it is optional.
static void* find(const char* name, unsigned version) {
  void* function = NULL;
#if CUDA_MAJOR == 11
  (void)version;
  if (cudaGetDriverEntryPoint(name, &function, 0) != 0) return NULL;
  return function;
#else
  int result = -1;
  if (cudaGetDriverEntryPointByVersion(name, &function, version, 0, &result) != 0) return NULL;
  return result == 0 ? function : NULL;
#endif
}

// The folder of the loaded file that has `address`.
static const char* file_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

int main(void) {
  int count = 0;
  EXPECT(cudaGetDeviceCount(&count) == 0 && count > 0, "no device");
  EXPECT(cudaFree(NULL) == 0, "the runtime does not start");
  const char* driver = NULL;
  for (size_t i = 0; i < sizeof kFunctions / sizeof *kFunctions; ++i) {
    void* function = find(kFunctions[i].name, kFunctions[i].version);
    printf("%s %s\n", kFunctions[i].name, function ? "found" : "missing");
    if (!function) {
      ++complaints;
      continue;
    }
    if (!driver) driver = file_of(function);
    EXPECT(strcmp(driver, file_of(function)) == 0, "functions of two libraries");
  }
  EXPECT(driver && strstr(driver, "libcuda.so.1"), "the functions are not libcuda's");
  EXPECT(find("cuNoSuchFunction", 12000) == NULL, "a function that does not exist was found");

  // Calls through what was found.
  int (*error_string)(int, const char**);
  *(void**)&error_string = find("cuGetErrorString", 12000);
  const char* text = NULL;
  EXPECT(error_string && error_string(2, &text) == 0 && text && strcmp(text, "out of memory") == 0,
         "cuGetErrorString");
  int (*get_version)(int*);
  *(void**)&get_version = find("cuDriverGetVersion", 12000);
  int version = 0, runtimes = 0;
  EXPECT(get_version && get_version(&version) == 0, "cuDriverGetVersion");
  EXPECT(cudaDriverGetVersion(&runtimes) == 0 && runtimes == version,
         "the runtime and the driver tell two versions");
  int (*range)(uint64_t*, size_t*, uint64_t);
  *(void**)&range = find("cuMemGetAddressRange", 12000);
  EXPECT(range != NULL, "cuMemGetAddressRange");
  return complaints != 0;
}
