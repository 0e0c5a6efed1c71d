#include <sched.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "src/host/mtml/call.h"
#include "src/host/musa/pci_bus_id.h"

namespace mtml {
namespace {

template <typename Part>
MtmlReturn open_part(const MtmlDevice* device, Part** part) noexcept {
  if (part == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
  return about(device, [&](int index) {
    *part = open<Part>(index);
    return MTML_SUCCESS;
  });
}

template <typename Part>
MtmlReturn close_part(const Part* part) noexcept {
  return guarded([&] { return close(part) ? MTML_SUCCESS : MTML_ERROR_INVALID_ARGUMENT; });
}

template <typename Text>
MtmlReturn give_text(const MtmlDevice* device, char* buffer, unsigned int size,
                     Text&& text) noexcept {
  if (buffer == nullptr) return MTML_ERROR_INVALID_ARGUMENT;
  return about(device, [&](int index) { return copy_text(text(index), buffer, size); });
}

}  // namespace
}  // namespace mtml

using mtml::about;
using mtml::give;
using mtml::give_text;
using mtml::not_supported;

MtmlReturn mtmlDeviceInitGpu(const MtmlDevice* device, MtmlGpu** gpu) {
  return mtml::open_part(device, gpu);
}

MtmlReturn mtmlDeviceFreeGpu(MtmlGpu* gpu) { return mtml::close_part(gpu); }

MtmlReturn mtmlDeviceInitMemory(const MtmlDevice* device, MtmlMemory** memory) {
  return mtml::open_part(device, memory);
}

MtmlReturn mtmlDeviceFreeMemory(MtmlMemory* memory) { return mtml::close_part(memory); }

MtmlReturn mtmlDeviceInitVpu(const MtmlDevice* device, MtmlVpu** vpu) {
  return mtml::open_part(device, vpu);
}

MtmlReturn mtmlDeviceFreeVpu(MtmlVpu* vpu) { return mtml::close_part(vpu); }

MtmlReturn mtmlDeviceGetIndex(const MtmlDevice* device, unsigned int* index) {
  return give(device, index, [](int own) { return own; });
}

MtmlReturn mtmlDeviceGetName(const MtmlDevice* device, char* name, unsigned int size) {
  return give_text(device, name, size,
                   [](int index) { return std::string(mtml::properties(index).name); });
}

MtmlReturn mtmlDeviceGetUUID(const MtmlDevice* device, char* uuid, unsigned int size) {
  return give_text(device, uuid, size, mtml::uuid);
}

MtmlReturn mtmlDeviceGetBrand(const MtmlDevice* device, MtmlBrandType* brand) {
  return give(device, brand, [](int) { return MTML_BRAND_UNKNOWN; });
}

// A CPU has no PCI registers. What they would say is zero.
MtmlReturn mtmlDeviceGetPciInfo(const MtmlDevice* device, MtmlPciInfo* info) {
  return give(device, info, [](int index) {
    const musa::PciAddress at = musa::pci_address(mtml::properties(index));
    MtmlPciInfo found{};
    found.segment = at.domain;
    found.bus = at.bus;
    found.device = at.slot;
    const std::string text = mtml::pci_bus_id(index);
    text.copy(found.sbdf, sizeof(found.sbdf) - 1);
    return found;
  });
}

MtmlReturn mtmlDeviceGetProperty(const MtmlDevice* device, MtmlDeviceProperty* property) {
  return give(device, property, [](int) { return MtmlDeviceProperty{}; });  // can do none of these
}

MtmlReturn mtmlDeviceCountFan(const MtmlDevice* device, unsigned int* count) {
  return give(device, count, [](int) { return 0; });
}

MtmlReturn mtmlDeviceCountDisplayInterface(const MtmlDevice* device, unsigned int* count) {
  return give(device, count, [](int) { return 0; });
}

MtmlReturn mtmlDeviceCountGpuCores(const MtmlDevice* device, unsigned int* count) {
  return give(device, count, [](int index) { return mtml::properties(index).multiProcessorCount; });
}

// The cores that this process may use.
MtmlReturn mtmlDeviceGetCpuAffinityWithinNode(const MtmlDevice* device, unsigned int size,
                                              unsigned long* cpus) {
  if (cpus == nullptr || size == 0) return MTML_ERROR_INVALID_ARGUMENT;
  return about(device, [&](int) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0) return MTML_ERROR_NOT_SUPPORTED;
    constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
    std::fill_n(cpus, size, 0UL);
    for (std::size_t cpu = 0; cpu < std::min<std::size_t>(CPU_SETSIZE, size * kBits); ++cpu) {
      if (CPU_ISSET(cpu, &set)) cpus[cpu / kBits] |= 1UL << cpu % kBits;
    }
    return MTML_SUCCESS;
  });
}

MtmlReturn mtmlDeviceGetMemoryAffinityWithinNode(const MtmlDevice* device, unsigned int size,
                                                 unsigned long* nodes) {
  if (size == 0) return MTML_ERROR_INVALID_ARGUMENT;
  return not_supported(device, nodes);
}

MtmlReturn mtmlDeviceGetPowerUsage(const MtmlDevice* device, unsigned int* milliwatts) {
  return not_supported(device, milliwatts);
}

MtmlReturn mtmlDeviceGetGpuPath(const MtmlDevice* device, char* path, unsigned int /*size*/) {
  return not_supported(device, path);
}

MtmlReturn mtmlDeviceGetPrimaryPath(const MtmlDevice* device, char* path, unsigned int /*size*/) {
  return not_supported(device, path);
}

MtmlReturn mtmlDeviceGetRenderPath(const MtmlDevice* device, char* path, unsigned int /*size*/) {
  return not_supported(device, path);
}

MtmlReturn mtmlDeviceGetVbiosVersion(const MtmlDevice* device, char* version,
                                     unsigned int /*size*/) {
  return not_supported(device, version);
}

MtmlReturn mtmlDeviceGetMtBiosVersion(const MtmlDevice* device, char* version,
                                      unsigned int /*size*/) {
  return not_supported(device, version);
}

MtmlReturn mtmlDeviceGetSerialNumber(const MtmlDevice* device, unsigned int /*size*/,
                                     char* number) {
  return not_supported(device, number);
}

MtmlReturn mtmlDeviceGetPcieSlotInfo(const MtmlDevice* device, MtmlPciSlotInfo* info) {
  return not_supported(device, info);
}

MtmlReturn mtmlDeviceGetFanSpeed(const MtmlDevice* device, unsigned int /*fan*/,
                                 unsigned int* percent) {
  return not_supported(device, percent);
}

MtmlReturn mtmlDeviceGetFanRpm(const MtmlDevice* device, unsigned int /*fan*/, unsigned int* rpm) {
  return not_supported(device, rpm);
}

MtmlReturn mtmlDeviceGetDisplayInterfaceSpec(const MtmlDevice* device, unsigned int /*index*/,
                                             MtmlDispIntfSpec* spec) {
  return not_supported(device, spec);
}

MtmlReturn mtmlDeviceReset(const MtmlDevice* device) { return not_supported(device); }
