// Which devices exist, and whether different queries agree.
#include <cuda_runtime.h>

#include <cstdio>

static int failures;

static void check(const char* what, long long expected, long long got) {
  if (expected == got) return;
  printf("%s: expected %lld, got %lld\n", what, expected, got);
  ++failures;
}

static void check_attribute(const char* what, int device, cudaDeviceAttr attribute,
                            long long property) {
  int value = -77;
  check(what, cudaSuccess, cudaDeviceGetAttribute(&value, attribute, device));
  check(what, value, property);
}

static void check_device(int device) {
  cudaDeviceProp p;
  check("cudaGetDeviceProperties", cudaSuccess, cudaGetDeviceProperties(&p, device));
  printf("Device %d: \"%s\", capability %d.%d, %d multiprocessors, %zu bytes\n", device, p.name,
         p.major, p.minor, p.multiProcessorCount, p.totalGlobalMem);
  check_attribute("major", device, cudaDevAttrComputeCapabilityMajor, p.major);
  check_attribute("minor", device, cudaDevAttrComputeCapabilityMinor, p.minor);
  check_attribute("multiProcessorCount", device, cudaDevAttrMultiProcessorCount,
                  p.multiProcessorCount);
  check_attribute("warpSize", device, cudaDevAttrWarpSize, p.warpSize);
  check_attribute("maxThreadsPerBlock", device, cudaDevAttrMaxThreadsPerBlock,
                  p.maxThreadsPerBlock);
  check_attribute("sharedMemPerBlock", device, cudaDevAttrMaxSharedMemoryPerBlock,
                  static_cast<long long>(p.sharedMemPerBlock));
  check_attribute("regsPerBlock", device, cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock);
  check_attribute("maxThreadsPerMultiProcessor", device, cudaDevAttrMaxThreadsPerMultiProcessor,
                  p.maxThreadsPerMultiProcessor);
  check_attribute("l2CacheSize", device, cudaDevAttrL2CacheSize, p.l2CacheSize);
  check_attribute("pciBusID", device, cudaDevAttrPciBusId, p.pciBusID);
  check_attribute("maxThreadsDim[2]", device, cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]);
  check_attribute("maxGridSize[0]", device, cudaDevAttrMaxGridDimX, p.maxGridSize[0]);
  size_t available = 0, total = 0;
  check("cudaSetDevice", cudaSuccess, cudaSetDevice(device));
  check("cudaMemGetInfo", cudaSuccess, cudaMemGetInfo(&available, &total));
  check("totalGlobalMem", static_cast<long long>(total), static_cast<long long>(p.totalGlobalMem));
  check("more memory available than there is", 0, available > total);
}

int main() {
  int count = 0, driver = 0, runtime = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  check("cudaGetDeviceCount", cudaSuccess, status);
  if (status != cudaSuccess) return 1;
  check("cudaDriverGetVersion", cudaSuccess, cudaDriverGetVersion(&driver));
  check("cudaRuntimeGetVersion", cudaSuccess, cudaRuntimeGetVersion(&runtime));
  printf("%d devices, driver %d, runtime %d\n", count, driver, runtime);
  check("major of the runtime", CUDART_VERSION / 1000, runtime / 1000);
  check("driver older than the runtime", 0, driver < runtime);
  check("no device", 0, count < 1);
  for (int device = 0; device < count; ++device) check_device(device);
  check("cudaGetLastError", cudaSuccess, cudaGetLastError());
  printf("Result = %s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
