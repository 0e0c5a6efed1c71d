// What a device is: name, serial number, place among the others.
#include "stubs/nvml/text.h"

using torchada::fail;
using torchada::nvml::Buffer;
using torchada::nvml::kSuccess;
using torchada::nvml::tell;

extern "C" {

// MTML is asked whether the device is there; its brands are none of NVIDIA's.
int torchada_adapter_nvmlDeviceGetBrand(void* device, int* brand) {
  return tell(TORCHADA_NVML(DeviceGetBrand, DeviceGetBrand), device, brand,
              [](void* asked, int* told) {
                int own = 0;
                const int status = mtmlDeviceGetBrand(asked, &own);
                *told = static_cast<int>(torchada::cuda::NVML_BRAND_UNKNOWN);
                return status;
              });
}

// The number at the end of the path of the render node, "/dev/dri/renderD128".
int torchada_adapter_nvmlDeviceGetMinorNumber(void* device, unsigned* minor) {
  const auto function = TORCHADA_NVML(DeviceGetMinorNumber, DeviceGetRenderPath);
  return torchada::nvml::with_device(device, [&](void* asked) {
    if (!minor) return fail(torchada::kInvalid);
    Buffer buffer;
    if (const int status = mtmlDeviceGetRenderPath(asked, buffer.text, Buffer::kSize)) {
      return torchada::outcome(function, status);
    }
    const char* const path = buffer.c_str();
    const char* digits = path + strlen(path);
    while (digits > path && digits[-1] >= '0' && digits[-1] <= '9') --digits;
    if (!*digits) return torchada::refuse(function, "the path that MTML reports ends in no number");
    unsigned number = 0;
    for (; *digits; ++digits) number = 10 * number + static_cast<unsigned>(*digits - '0');
    *minor = number;
    return kSuccess;
  });
}

}  // extern "C"
