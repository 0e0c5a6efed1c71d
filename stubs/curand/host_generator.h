// Generators that write to host memory. No muRAND is known to have one, so each is a device
// generator whose numbers are copied. A program holds the generator's address with two things
// added: bit 0, which no address has, marks it as a host generator, and the bits above the address
// space of programs hold the device.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace torchada::curand {

inline constexpr uintptr_t kHostMark = 1;
inline constexpr int kDeviceShift = 48;

inline bool is_host(const void* handle) {
  return (reinterpret_cast<uintptr_t>(handle) & kHostMark) != 0;
}

// muRAND's generator behind a handle of either kind.
inline void* generator_of(void* handle) {
  constexpr uintptr_t kAddress = (uintptr_t{1} << kDeviceShift) - 1 - kHostMark;
  if (!is_host(handle)) return handle;
  return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(handle) & kAddress);
}

inline int device_of(const void* handle) {
  return static_cast<int>(reinterpret_cast<uintptr_t>(handle) >> kDeviceShift);
}

// Null if the address or the device number does not fit.
inline void* host_handle(void* generator, int device) {
  const auto address = reinterpret_cast<uintptr_t>(generator);
  if ((address & kHostMark) != 0 || address >> (kDeviceShift - 1) != 0) return nullptr;
  if (device < 0 || device >> 15 != 0) return nullptr;
  return reinterpret_cast<void*>(address | kHostMark |
                                 static_cast<uintptr_t>(device) << kDeviceShift);
}

}  // namespace torchada::curand
