// As much of the runtime as NCCL's adapters call: device memory is host memory, and streams do
// everything at once. Prototypes from the public evidence (mappings/musa).
#include "tests/ranks/old_musart.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<int> live{0};
thread_local int current_device = 0;
thread_local bool fail_next = false;
thread_local int busy = 0;  // How many more times a stream is not ready.

constexpr int kMemoryAllocation = 2;
constexpr int kNotReady = 600;
constexpr int kDevices = 8;

}  // namespace

extern "C" {

int old_musart_live() { return live; }
int old_musart_device() { return current_device; }
void old_musart_fail_next_malloc() { fail_next = true; }
void old_musart_be_busy(int times) { busy = times; }
int old_musart_busy() { return busy; }

int musaRuntimeGetVersion(int* version) {
  *version = 30100;
  return 0;
}

int musaGetDevice(int* device) {
  *device = current_device;
  return 0;
}

int musaSetDevice(int device) {
  if (device < 0 || device >= kDevices) return 101;
  current_device = device;
  return 0;
}

int musaMalloc(void** memory, size_t size) {
  if (fail_next) {
    fail_next = false;
    return kMemoryAllocation;
  }
  *memory = std::malloc(size + 1);
  ++live;
  return 0;
}

int musaFree(void* memory) {
  if (memory == nullptr) return 0;
  std::free(memory);
  --live;
  return 0;
}

int musaMemcpyAsync(void* to, const void* from, size_t size, int kind, void* stream) {
  if (stream == nullptr || (kind != 1 && kind != 2)) return 1;
  std::memcpy(to, from, size);
  return 0;
}

int musaStreamCreate(void** stream) {
  *stream = std::malloc(1);
  ++live;
  return 0;
}

int musaStreamDestroy(void* stream) {
  std::free(stream);
  --live;
  return 0;
}

int musaStreamSynchronize(void*) { return 0; }
int musaStreamQuery(void*) {
  if (busy == 0) return 0;
  --busy;
  return kNotReady;
}
int musaDeviceSynchronize() { return 0; }
int musaGetLastError() { return 0; }

}  // extern "C"
