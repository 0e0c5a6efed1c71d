#include "stubs/nvml/session.h"

#include <stdint.h>

namespace torchada::nvml {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

namespace {

// More than any host has. A program's handle is the address of an entry, so it stays valid from one
// initialisation to the next, as with NVML.
constexpr unsigned kMostDevices = 256;

struct Device {
  void* mtml;  // Null if it is not open.
  bool known;  // Whether a program was given the handle.
};

Device devices[kMostDevices];
void* opened;       // MTML's handle of the library.
unsigned sessions;  // Initialisations without a shutdown.

// MTML calls it a failure of the driver if a device has gone; while nothing is open yet, it is one.
int outcome_of_opening(const Function& function, int status) {
  const int result = outcome(function, status);
  const bool is_lost = result == static_cast<int>(cuda::NVML_ERROR_GPU_IS_LOST);
  return is_lost ? fail(kFailed) : result;
}

}  // namespace

const void* library() { return opened; }

int initialise(const Function& function) {
  const Lock lock;
  if (sessions == 0) {
    void* handle = nullptr;
    if (const int status = mtmlLibraryInit(&handle)) return outcome_of_opening(function, status);
    opened = handle;
  }
  ++sessions;
  return kSuccess;
}

int shut_down(const Function& function) {
  const Lock lock;
  if (sessions == 0) return fail_with(cuda::NVML_ERROR_UNINITIALIZED);
  if (--sessions != 0) return kSuccess;
  // MTML frees its devices with the library.
  for (Device& device : devices) device.mtml = nullptr;
  void* const handle = opened;
  opened = nullptr;
  return outcome(function, mtmlLibraryShutDown(handle));
}

void* handle_of(unsigned index) {
  if (index >= kMostDevices) return nullptr;
  devices[index].known = true;
  return &devices[index];
}

int open_device(const void* handle, void** device) {
  if (!opened) return fail_with(cuda::NVML_ERROR_UNINITIALIZED);
  const auto address = reinterpret_cast<uintptr_t>(handle);
  const auto first = reinterpret_cast<uintptr_t>(devices);
  if (address < first || address >= first + sizeof devices) return fail(kInvalid);
  if ((address - first) % sizeof(Device) != 0) return fail(kInvalid);
  const auto index = static_cast<unsigned>((address - first) / sizeof(Device));
  Device& entry = devices[index];
  if (!entry.known) return fail(kInvalid);
  if (!entry.mtml) {
    void* mtml = nullptr;
    const int status = mtmlLibraryInitDeviceByIndex(opened, index, &mtml);
    if (status) {
      return outcome(TORCHADA_NVML(DeviceGetHandleByIndex_v2, LibraryInitDeviceByIndex), status);
    }
    entry.mtml = mtml;
  }
  *device = entry.mtml;
  return kSuccess;
}

int count_devices(const Function& function, unsigned* count) {
  unsigned told = 0;
  if (const int status = mtmlLibraryCountDevice(opened, &told)) return outcome(function, status);
  *count = told < kMostDevices ? told : kMostDevices;
  return kSuccess;
}

}  // namespace torchada::nvml
