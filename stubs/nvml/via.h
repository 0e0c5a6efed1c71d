// The ways to MTML that rows share (`via` in mappings/forward/nvml.yaml).
#pragma once

#include "stubs/adapting/driver_version.h"
#include "stubs/nvml/pci.h"
#include "stubs/nvml/text.h"
#include "stubs/nvml/uuid.h"
#include "stubs/reporting/refusal.h"
#include "stubs/system/mapped_memory.h"

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

inline int uuid(const Function& function, int (*)(const void*, char*, unsigned), Device device,
                Place place, unsigned length) {
  return nvml::tell_text(function, device.handle, static_cast<char*>(place.first), length,
                         nvml::uuid_of);
}

inline int fan(const Function& function, int (*call)(const void*, unsigned, unsigned*),
               Device device, unsigned fan, Place percent) {
  return nvml::tell(function, device.handle, static_cast<unsigned*>(percent.first),
                    [=](void* asked, unsigned* told) { return call(asked, fan, told); });
}

// 0 for the scope of a node. MTML has no other.
inline int check_scope(const char* function, unsigned scope) {
  constexpr unsigned kNode = 0, kSocket = 1;  // NVML_AFFINITY_SCOPE_NODE and _SOCKET
  if (scope == kNode) return 0;
  if (scope != kSocket) return fail(kInvalid);
  return refuse_argument(function, "scope", "NVML_AFFINITY_SCOPE_SOCKET (1)",
                         "MTML reports only the affinity within a node", kUnsupported);
}

// A set of bits, `size` words. MTML writes to memory of this library, so that a failure leaves the
// program's as it is.
inline int affinity(const Function& function, int (*call)(const void*, unsigned, unsigned long*),
                    Device device, unsigned size, Place place, unsigned scope) {
  return nvml::with_device(device.handle, [&](void* asked) {
    if (const int status = check_scope(function.cuda, scope)) return status;
    auto* const set = static_cast<unsigned long*>(place.first);
    if (!set || size == 0) return fail(kInvalid);
    const MappedMemory own(size_t{size} * sizeof *set);
    if (!own.data()) return nvml::fail_with(cuda::NVML_ERROR_MEMORY);
    auto* const told = reinterpret_cast<unsigned long*>(own.data());
    if (const int status = call(asked, size, told)) return outcome(function, status);
    for (unsigned i = 0; i < size; ++i) set[i] = told[i];
    return nvml::kSuccess;
  });
}

inline int begun(const Function& function, int (*)(void**)) { return nvml::initialise(function); }

inline int ended(const Function& function, int (*)(void*)) { return nvml::shut_down(function); }

// The PCI address of the device at the other end of a link.
inline int remote(const Function& function, void* device, unsigned link, void* info) {
  return nvml::with_device(device, [&](void* asked) {
    if (!info) return fail(torchada::kInvalid);
    void* remote = nullptr;
    int status = mtmlDeviceGetMtLinkRemoteDevice(asked, link, &remote);
    char told[cuda::sizeof_nvmlPciInfo_t] = {};
    if (!status) status = nvml::write_pci_info(remote, told);
    if (status) return outcome(function, status);
    __builtin_memcpy(info, told, sizeof told);
    return nvml::kSuccess;
  });
}

// The number of devices, and the handle of one (discovery.cpp).
int devices(const Function& function, void* number);
int by_index(const Function& function, unsigned index, void* handle);
int by_address(const Function& function, const void* address, void* handle);

// Pages of memory that are no longer used (ecc.cpp). `first_time` may be null.
int pages(const Function& function, void* device, int cause, void* number, void* first_address,
          void* first_time);

}  // namespace torchada::via
