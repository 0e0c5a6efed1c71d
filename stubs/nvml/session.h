// MTML as this process has it open: one handle of the library while NVML is initialised, and one of
// each device that a program asks for. Handles of a device's parts live for a call.
#pragma once

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/reporting/fallback.h"
#include "stubs/system/fork_safe_lock.h"

// A function of NVML and the one of MTML that answers it.
#define TORCHADA_NVML(name, mtml) (::torchada::Function{"nvml" #name, "mtml" #mtml})

namespace torchada::nvml {

inline constexpr int kSuccess = 0;

inline int fail_with(long long status) { return fail(static_cast<int>(status)); }

extern pthread_mutex_t mutex;

// Programs call NVML from several threads. No public source says that MTML takes this, so its calls
// come one after the other.
using Lock = ForkSafeLock<mutex>;

// MTML's handle of the library, null while NVML is not initialised. With the lock held.
const void* library();

// Counts an initialisation; the first opens MTML. The last shutdown closes it.
int initialise(const Function& function);
int shut_down(const Function& function);

// Sets `device` to MTML's handle of the device that a program's `handle` stands for. Returns 0, or
// the status to return. With the lock held.
int open_device(const void* handle, void** device);

// The handle that a program gets for the device of this index, or null if no device can have it.
void* handle_of(unsigned index);

// The number of devices, or the status to return. With the lock held.
int count_devices(const Function& function, unsigned* count);

// The status that `call(library)` returns.
template <typename Call>
int with_library(Call call) {
  const Lock lock;
  if (!library()) return fail_with(cuda::NVML_ERROR_UNINITIALIZED);
  return call(library());
}

// The status that `call(device)` returns, with MTML's handle of the device.
template <typename Call>
int with_device(const void* handle, Call call) {
  const Lock lock;
  void* device = nullptr;
  if (const int status = open_device(handle, &device)) return status;
  return call(device);
}

// A part of a device: its processor, memory or video unit.
struct Part {
  int (*open)(const void* device, void** part);
  int (*close)(void* part);
};

inline constexpr Part kGpu{mtmlDeviceInitGpu, mtmlDeviceFreeGpu};
inline constexpr Part kMemory{mtmlDeviceInitMemory, mtmlDeviceFreeMemory};
inline constexpr Part kVpu{mtmlDeviceInitVpu, mtmlDeviceFreeVpu};

// MTML's status of `call(part)`.
template <typename Call>
int in_part(const void* device, const Part& part, Call call) {
  void* opened = nullptr;
  if (const int status = part.open(device, &opened)) return status;
  const int status = call(opened);
  part.close(opened);
  return status;
}

// Writes what `call(device, &value)` tells to `out`, which stays as it is if MTML fails.
template <typename Number, typename Call>
int tell(const Function& function, const void* handle, Number* out, Call call) {
  return with_device(handle, [&](void* device) {
    if (!out) return fail(kInvalid);
    Number value = {};
    if (const int status = call(device, &value)) return outcome(function, status);
    *out = value;
    return kSuccess;
  });
}

// The same for a number that a part of the device has.
template <typename Number, typename Call>
int tell_of(const Function& function, const Part& part, const void* handle, Number* out,
            Call call) {
  return tell(function, handle, out, [&](void* device, Number* value) {
    return in_part(device, part, [&](void* opened) { return call(opened, value); });
  });
}

}  // namespace torchada::nvml
