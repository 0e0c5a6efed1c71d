#include "src/host/gmi/device.h"

#include <mtml.h>

#include <array>
#include <cstdio>
#include <stdexcept>

namespace gmi {
namespace {

constexpr const char* kUnknown = "N/A";
constexpr unsigned long long kMiB = 1ULL << 20;

// False if the device has nothing of the kind.
bool known(const char* function, MtmlReturn status) {
  if (status == MTML_SUCCESS) return true;
  if (status == MTML_ERROR_NOT_SUPPORTED) return false;
  throw std::runtime_error(std::string(function) + ": " + mtmlErrorString(status));
}
#define KNOWN(function, ...) known(#function, function(__VA_ARGS__))

// By reference: the same statement asks for the value.
template <typename Number>
std::string with_unit(bool is_known, const Number& value, const char* unit) {
  return is_known ? std::to_string(value) + unit : kUnknown;
}

std::string hexadecimal(unsigned int value, int digits) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%0*X", digits, value);
  return text.data();
}

std::string watts(bool is_known, const unsigned int& milliwatts) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%u.%02uW", milliwatts / 1000, milliwatts % 1000 / 10);
  return is_known ? text.data() : kUnknown;
}

// A bus of no width is none.
std::string lanes(const MtmlPciInfo& pci) {
  if (pci.pciMaxWidth == 0) return kUnknown;
  return std::to_string(pci.pciCurWidth) + "x(" + std::to_string(pci.pciMaxWidth) + "x)";
}

void read_memory(MtmlMemory* memory, Device* device) {
  unsigned long long total = 0;
  unsigned long long used = 0;
  const bool has_total = KNOWN(mtmlMemoryGetTotal, memory, &total);
  const bool has_used = KNOWN(mtmlMemoryGetUsed, memory, &used);
  device->total = with_unit(has_total, total / kMiB, "MiB");
  device->used = with_unit(has_used, used / kMiB, "MiB");
  device->free = with_unit(has_total && has_used, total / kMiB - used / kMiB, "MiB");
  unsigned int number = 0;
  device->memory_busy = with_unit(KNOWN(mtmlMemoryGetUtilization, memory, &number), number, "%");
  device->memory_clock = with_unit(KNOWN(mtmlMemoryGetClock, memory, &number), number, "MHz");
  MtmlEccMode now{};
  MtmlEccMode later{};
  device->ecc = !KNOWN(mtmlMemoryGetEccMode, memory, &now, &later) ? kUnknown
                : now == MTML_MEMORY_ECC_ENABLE                    ? "On-die, EDC"
                                                                   : "Off";
}

void read_processor(MtmlGpu* gpu, Device* device) {
  unsigned int number = 0;
  device->busy = with_unit(KNOWN(mtmlGpuGetUtilization, gpu, &number), number, "%");
  device->graphics_clock = with_unit(KNOWN(mtmlGpuGetClock, gpu, &number), number, "MHz");
  int celsius = 0;
  device->temperature =
      KNOWN(mtmlGpuGetTemperature, gpu, &celsius) ? std::to_string(celsius) + "C" : kUnknown;
}

void read_video(MtmlVpu* vpu, Device* device) {
  MtmlCodecUtil busy{};
  const bool has_video = KNOWN(mtmlVpuGetUtilization, vpu, &busy);
  device->encoder = with_unit(has_video, busy.encUtil, "%");
  device->decoder = with_unit(has_video, busy.decUtil, "%");
  unsigned int megahertz = 0;
  device->video_clock = with_unit(KNOWN(mtmlVpuGetClock, vpu, &megahertz), megahertz, "MHz");
}

template <typename Buffer>
std::string text_of(bool is_known, const Buffer& buffer) {
  return is_known ? buffer.data() : kUnknown;
}

Device read_device(const MtmlLibrary* library, unsigned int index) {
  MtmlDevice* handle = nullptr;
  known("mtmlLibraryInitDeviceByIndex", mtmlLibraryInitDeviceByIndex(library, index, &handle));
  Device device;
  std::array<char, 128> text{};
  constexpr auto kSize = static_cast<unsigned int>(text.size());
  device.index = std::to_string(index);
  device.name = text_of(KNOWN(mtmlDeviceGetName, handle, text.data(), kSize), text);
  device.uuid = text_of(KNOWN(mtmlDeviceGetUUID, handle, text.data(), kSize), text);
  device.serial = text_of(KNOWN(mtmlDeviceGetSerialNumber, handle, kSize, text.data()), text);
  device.bios = text_of(KNOWN(mtmlDeviceGetMtBiosVersion, handle, text.data(), kSize), text);
  MtmlBrandType brand{};
  const bool has_brand = KNOWN(mtmlDeviceGetBrand, handle, &brand);
  device.brand = has_brand && brand == MTML_BRAND_MTT ? "MTT" : kUnknown;

  MtmlPciInfo pci{};
  known("mtmlDeviceGetPciInfo", mtmlDeviceGetPciInfo(handle, &pci));
  device.bus = hexadecimal(pci.bus, 2);
  device.bus_id = pci.sbdf;
  constexpr unsigned int kVendorBits = 0xffff;
  const bool has_registers = pci.pciDeviceId != 0;
  device.vendor = has_registers ? hexadecimal(pci.pciDeviceId & kVendorBits, 4) : kUnknown;
  device.device = has_registers ? hexadecimal(pci.pciDeviceId >> 16, 4) : kUnknown;
  device.lanes = lanes(pci);

  MtmlMemory* memory = nullptr;
  MtmlGpu* gpu = nullptr;
  MtmlVpu* vpu = nullptr;
  known("mtmlDeviceInitMemory", mtmlDeviceInitMemory(handle, &memory));
  known("mtmlDeviceInitGpu", mtmlDeviceInitGpu(handle, &gpu));
  known("mtmlDeviceInitVpu", mtmlDeviceInitVpu(handle, &vpu));
  read_memory(memory, &device);
  read_processor(gpu, &device);
  read_video(vpu, &device);
  unsigned int milliwatts = 0;
  device.power = watts(KNOWN(mtmlDeviceGetPowerUsage, handle, &milliwatts), milliwatts);
  MtmlDeviceProperty property{};
  device.parts =
      KNOWN(mtmlDeviceGetProperty, handle, &property) && property.mpcCap == MTML_DEVICE_SUPPORT_MPC;
  return device;
}

}  // namespace

Machine read_machine() {
  MtmlLibrary* library = nullptr;
  known("mtmlLibraryInit", mtmlLibraryInit(&library));
  Machine machine;
  std::array<char, 128> text{};
  constexpr auto kSize = static_cast<unsigned int>(text.size());
  machine.command = text_of(KNOWN(mtmlLibraryGetVersion, library, text.data(), kSize), text);
  MtmlSystem* system = nullptr;
  known("mtmlLibraryInitSystem", mtmlLibraryInitSystem(library, &system));
  machine.driver = text_of(KNOWN(mtmlSystemGetDriverVersion, system, text.data(), kSize), text);
  unsigned int count = 0;
  known("mtmlLibraryCountDevice", mtmlLibraryCountDevice(library, &count));
  for (unsigned int index = 0; index < count; ++index) {
    machine.devices.push_back(read_device(library, index));
  }
  known("mtmlLibraryShutDown", mtmlLibraryShutDown(library));
  return machine;
}

}  // namespace gmi
