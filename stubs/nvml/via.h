// The ways to MTML that rows share (`via` in mappings/forward/nvml.yaml).
#pragma once

#include "stubs/nvml/pci.h"
#include "stubs/nvml/text.h"

namespace torchada::via {

// A program's handle of a device.
struct Device {
  const void* handle;
};

// Where the answer goes.
struct Place {
  void* first;
};

template <typename Number>
int number(const Function& function, int (*call)(const void*, Number*), Device device,
           Place place) {
  return nvml::tell(function, device.handle, static_cast<Number*>(place.first), call);
}

// Of which MTML's header does not say what is counted.
template <typename Number>
int count(const Function& function, int (*call)(const void*, Number*), Device device, Place place) {
  return number(function, call, device, place);
}

// The same of a device's memory.
template <typename Number>
int memory_count(const Function& function, int (*call)(const void*, Number*), Device device,
                 Place place) {
  return nvml::tell_of(function, nvml::kMemory, device.handle, static_cast<Number*>(place.first),
                       call);
}

// MTML's header calls the member at `offset` a percentage of a period, which it tells too, in
// microseconds.
inline int codec(const Function& function, int (*call)(const void*, void*), unsigned offset,
                 Device device, Place percent, Place microseconds) {
  return nvml::with_device(device.handle, [&](void* asked) {
    if (!percent.first || !microseconds.first) return fail(kInvalid);
    char told[musa::sizeof_MtmlCodecUtil] = {};
    const int status = nvml::in_part(asked, nvml::kVpu, [&](void* vpu) { return call(vpu, told); });
    if (status) return outcome(function, status);
    nvml::put(percent.first, 0, nvml::get<unsigned>(told, offset));
    nvml::put(microseconds.first, 0, nvml::get<unsigned>(told, musa::MtmlCodecUtil_period));
    return nvml::kSuccess;
  });
}

// MTML's struct, read by pci.cpp: `call` is the function that it calls.
inline int pci_number(const Function& function, int (*)(const void*, void*), unsigned offset,
                      Device device, Place place) {
  return nvml::tell_number(function, device.handle, static_cast<unsigned*>(place.first), offset);
}

// The first `length` bytes of NVML's struct.
inline int pci_info(const Function& function, int (*)(const void*, void*), unsigned length,
                    Device device, Place info) {
  return nvml::with_device(device.handle, [&](void* asked) {
    if (!info.first) return fail(kInvalid);
    char told[cuda::sizeof_nvmlPciInfo_t] = {};
    if (const int status = nvml::write_pci_info(asked, told)) return outcome(function, status);
    __builtin_memcpy(info.first, told, length);
    return nvml::kSuccess;
  });
}

inline int text(const Function& function, int (*call)(const void*, char*, unsigned), Device device,
                Place place, unsigned length) {
  return nvml::tell_text(function, device.handle, static_cast<char*>(place.first), length, call);
}

inline int text(const Function& function, int (*call)(const void*, unsigned, char*), Device device,
                Place place, unsigned length) {
  return nvml::tell_text(
      function, device.handle, static_cast<char*>(place.first), length,
      [=](const void* asked, char* out, unsigned size) { return call(asked, size, out); });
}

}  // namespace torchada::via
