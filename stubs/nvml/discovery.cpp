// Counting and finding devices.
#include "stubs/nvml/pci.h"
#include "stubs/nvml/structs.h"
#include "stubs/nvml/text.h"
#include "stubs/nvml/uuid.h"
#include "stubs/nvml/via.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::nvml::Buffer;
using torchada::nvml::count_devices;
using torchada::nvml::fail_with;
using torchada::nvml::kSuccess;
using torchada::nvml::open_device;
using torchada::nvml::with_library;
namespace cuda = torchada::cuda;
namespace nvml = torchada::nvml;

// Writes the handle of the device for which `fits(device, &yes)`, which returns MTML's status, says
// yes. A device that cannot be asked is the one that is missing, perhaps: its error is returned if
// no other fits.
template <typename Fits>
int find(const Function& function, void** out, Fits fits) {
  unsigned devices = 0;
  if (const int status = count_devices(function, &devices)) return status;
  int failure = kSuccess;
  for (unsigned index = 0; index < devices; ++index) {
    void* const handle = nvml::handle_of(index);
    void* device = nullptr;
    int status = open_device(handle, &device);
    bool yes = false;
    if (status == kSuccess) status = torchada::outcome(function, fits(device, &yes));
    if (status != kSuccess) {
      failure = status;
    } else if (yes) {
      *out = handle;
      return kSuccess;
    }
  }
  return failure != kSuccess ? failure : fail_with(cuda::NVML_ERROR_NOT_FOUND);
}

// By a text that `ask(device, text, size)` tells.
template <typename Ask>
int find_text(const Function& function, const char* wanted, void** out, Ask ask) {
  return with_library([&](const void*) {
    if (!wanted || !out) return fail(torchada::kInvalid);
    return find(function, out, [&](void* device, bool* yes) {
      Buffer buffer;
      const int status = ask(device, buffer.text, Buffer::kSize);
      *yes = strcmp(buffer.c_str(), wanted) == 0;
      return status;
    });
  });
}

}  // namespace

int torchada::via::devices(const Function& function, void* place) {
  auto* const out = static_cast<unsigned*>(place);
  return with_library(
      [&](const void*) { return out ? count_devices(function, out) : fail(torchada::kInvalid); });
}

int torchada::via::by_index(const Function& function, unsigned index, void* place) {
  auto** const out = static_cast<void**>(place);
  return with_library([&](const void*) {
    if (!out) return fail(torchada::kInvalid);
    unsigned devices = 0;
    if (const int status = count_devices(function, &devices)) return status;
    if (index >= devices) return fail(torchada::kInvalid);
    void* const handle = nvml::handle_of(index);
    void* device = nullptr;
    if (const int status = open_device(handle, &device)) return status;
    *out = handle;
    return kSuccess;
  });
}

int torchada::via::by_address(const Function& function, const void* address, void* place) {
  auto* const text = static_cast<const char*>(address);
  auto** const out = static_cast<void**>(place);
  return with_library([&](const void*) {
    nvml::PciAddress wanted;
    if (!text || !out || !nvml::parse_address(text, &wanted)) return fail(torchada::kInvalid);
    return find(function, out, [&](void* device, bool* yes) {
      nvml::PciInfo info;
      const int status = mtmlDeviceGetPciInfo(device, info.bytes);
      *yes = info.address() == wanted;
      return status;
    });
  });
}

extern "C" {

int torchada_adapter_nvmlDeviceGetHandleBySerial(const char* serial, void** device) {
  return find_text(TORCHADA_NVML(DeviceGetHandleBySerial, DeviceGetSerialNumber), serial, device,
                   [](void* asked, char* text, unsigned size) {
                     return mtmlDeviceGetSerialNumber(asked, size, text);
                   });
}

int torchada_adapter_nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  return find_text(TORCHADA_NVML(DeviceGetHandleByUUID, DeviceGetUUID), uuid, device,
                   nvml::uuid_of);
}

int torchada_adapter_nvmlDeviceGetHandleByUUIDV(const void* uuid, void** device) {
  const auto function = TORCHADA_NVML(DeviceGetHandleByUUIDV, DeviceGetUUID);
  return with_library([&](const void*) {
    if (!device) return fail(torchada::kInvalid);
    if (const int status = nvml::check_version(uuid, cuda::sizeof_nvmlUUID_t, 1)) return status;
    const auto type = nvml::get<unsigned>(uuid, cuda::nvmlUUID_t_type);
    const auto* const value = static_cast<const char*>(uuid) + cuda::nvmlUUID_t_value;
    if (type != cuda::NVML_UUID_TYPE_ASCII && type != cuda::NVML_UUID_TYPE_BINARY) {
      return fail(torchada::kInvalid);
    }
    return find(function, device, [&](void* asked, bool* yes) {
      Buffer buffer;
      const int status = nvml::uuid_of(asked, buffer.text, Buffer::kSize);
      *yes = type == cuda::NVML_UUID_TYPE_ASCII
                 ? strncmp(buffer.c_str(), value, cuda::sizeof_nvmlUUIDValue_t) == 0
                 : nvml::has_bytes(buffer.c_str(), value);
      return status;
    });
  });
}

// MTML's parts of devices (MPC instances) are not offered as MIG devices.
int torchada_adapter_nvmlDeviceIsMigDeviceHandle(void* device, unsigned* is_mig) {
  return nvml::with_device(device, [&](void*) {
    if (!is_mig) return fail(torchada::kInvalid);
    *is_mig = 0;
    return kSuccess;
  });
}

}  // extern "C"
