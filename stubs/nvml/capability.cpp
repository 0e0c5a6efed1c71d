// The compute capability, which MTML does not tell: MUSA's driver does.
#include "stubs/adapting/device_claims.h"
#include "stubs/nvml/pci.h"

extern "C" int torchada_adapter_nvmlDeviceGetCudaComputeCapability(void* device, int* major,
                                                                   int* minor) {
  const auto function = TORCHADA_NVML(DeviceGetCudaComputeCapability, DeviceGetPciInfo);
  torchada::nvml::PciInfo info;
  const int status = torchada::nvml::with_device(device, [&](void* asked) {
    if (!major || !minor) return torchada::fail(torchada::kInvalid);
    return torchada::outcome(function, mtmlDeviceGetPciInfo(asked, info.bytes));
  });
  if (status) return status;
  // 0 stands for what MUSA says: without an override that is what comes back.
  const int wanted = torchada::major_to_tell(0);
  if (wanted != 0) {
    *major = wanted;
    *minor = torchada::minor_to_tell(0);
    return 0;
  }
  // Without the lock: initialising the driver may load libraries, and their constructors may ask
  // NVML.
  torchada::nvml::AddressText address;
  torchada::nvml::write_address(info.address(), 4, &address);
  int own = 0;
  if (muInit(0) != 0 || muDeviceGetByPCIBusId(&own, address) != 0) {
    return torchada::refuse(function,
                            "MUSA's driver does not show this process a device at its address; "
                            "MUSA_VISIBLE_DEVICES may leave it out");
  }
  int told[2] = {};
  namespace musa = torchada::musa;
  if (muDeviceGetAttribute(&told[0], musa::MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, own) ||
      muDeviceGetAttribute(&told[1], musa::MU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, own)) {
    return torchada::fail(torchada::kFailed);
  }
  *major = told[0];
  *minor = told[1];
  return 0;
}
