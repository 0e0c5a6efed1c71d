// How busy, fast and warm a device is. Both libraries count in percent, MHz, mW and degrees
// Celsius.
#include "stubs/nvml/structs.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::Function;
using torchada::nvml::in_part;
using torchada::nvml::kGpu;
using torchada::nvml::kMemory;
using torchada::nvml::kSuccess;
using torchada::nvml::kVpu;
using torchada::nvml::tell_of;
using torchada::nvml::with_device;
namespace cuda = torchada::cuda;

using AskClock = int (*)(const void* part, unsigned* megahertz);

struct Clocks {
  AskClock gpu, memory, vpu;
};

constexpr Clocks kCurrent{mtmlGpuGetClock, mtmlMemoryGetClock, mtmlVpuGetClock};
constexpr Clocks kMost{mtmlGpuGetMaxClock, mtmlMemoryGetMaxClock, mtmlVpuGetMaxClock};

int clock_of(const Function& function, const Clocks& clocks, void* device, int type,
             unsigned* megahertz) {
  switch (type) {
    case cuda::NVML_CLOCK_GRAPHICS:
    case cuda::NVML_CLOCK_SM:
      return tell_of(function, kGpu, device, megahertz, clocks.gpu);
    case cuda::NVML_CLOCK_MEM:
      return tell_of(function, kMemory, device, megahertz, clocks.memory);
    case cuda::NVML_CLOCK_VIDEO:
      return tell_of(function, kVpu, device, megahertz, clocks.vpu);
    default:
      return with_device(device, [](void*) { return fail(torchada::kInvalid); });
  }
}

// NVML tells degrees as an unsigned number, so those below 0 have none.
int temperature_of(const Function& function, void* device, int* degrees) {
  return torchada::outcome(function, in_part(device, kGpu, [&](void* gpu) {
                             return mtmlGpuGetTemperature(gpu, degrees);
                           }));
}

}  // namespace

extern "C" {

int torchada_adapter_nvmlDeviceGetUtilizationRates(void* device, void* utilization) {
  const auto function = TORCHADA_NVML(DeviceGetUtilizationRates, GpuGetUtilization);
  return with_device(device, [&](void* asked) {
    if (!utilization) return fail(torchada::kInvalid);
    unsigned gpu = 0, memory = 0;
    int status =
        in_part(asked, kGpu, [&](void* part) { return mtmlGpuGetUtilization(part, &gpu); });
    if (!status) {
      status = in_part(asked, kMemory,
                       [&](void* part) { return mtmlMemoryGetUtilization(part, &memory); });
    }
    if (status) return torchada::outcome(function, status);
    torchada::nvml::put(utilization, cuda::nvmlUtilization_t_gpu, gpu);
    torchada::nvml::put(utilization, cuda::nvmlUtilization_t_memory, memory);
    return kSuccess;
  });
}

int torchada_adapter_nvmlDeviceGetMaxClockInfo(void* device, int type, unsigned* megahertz) {
  return clock_of(TORCHADA_NVML(DeviceGetMaxClockInfo, GpuGetMaxClock), kMost, device, type,
                  megahertz);
}

int torchada_adapter_nvmlDeviceGetClock(void* device, int type, int which, unsigned* megahertz) {
  const auto function = TORCHADA_NVML(DeviceGetClock, GpuGetClock);
  if (which == cuda::NVML_CLOCK_ID_CURRENT) {
    return clock_of(function, kCurrent, device, type, megahertz);
  }
  const int status = with_device(device, [&](void*) {
    const bool is_known = which > 0 && which < cuda::NVML_CLOCK_ID_COUNT;
    return is_known && megahertz ? kSuccess : fail(torchada::kInvalid);
  });
  if (status) return status;
  constexpr unsigned kWhich = 2;  // Parameter.
  return torchada::refuse_enumerator("nvmlDeviceGetClock", kWhich, which,
                                     "MTML reports only the current clock", torchada::kUnsupported);
}

int torchada_adapter_nvmlDeviceGetTemperature(void* device, int sensor, unsigned* degrees) {
  const auto function = TORCHADA_NVML(DeviceGetTemperature, GpuGetTemperature);
  return with_device(device, [&](void* asked) {
    if (!degrees || sensor != cuda::NVML_TEMPERATURE_GPU) return fail(torchada::kInvalid);
    int told = 0;
    if (const int status = temperature_of(function, asked, &told)) return status;
    if (told < 0) return torchada::refuse(function, "NVML has no temperatures below 0");
    *degrees = static_cast<unsigned>(told);
    return kSuccess;
  });
}

int torchada_adapter_nvmlDeviceGetTemperatureV(void* device, void* temperature) {
  const auto function = TORCHADA_NVML(DeviceGetTemperatureV, GpuGetTemperature);
  return with_device(device, [&](void* asked) {
    const unsigned size = cuda::sizeof_nvmlTemperature_t;
    if (const int status = torchada::nvml::check_version(temperature, size, 1)) return status;
    const auto sensor = torchada::nvml::get<int>(temperature, cuda::nvmlTemperature_t_sensorType);
    if (sensor != cuda::NVML_TEMPERATURE_GPU) return fail(torchada::kInvalid);
    int told = 0;
    if (const int status = temperature_of(function, asked, &told)) return status;
    torchada::nvml::put(temperature, cuda::nvmlTemperature_t_temperature, told);
    return kSuccess;
  });
}

int torchada_adapter_nvmlDeviceGetFanSpeedRPM(void* device, void* speed) {
  const auto function = TORCHADA_NVML(DeviceGetFanSpeedRPM, DeviceGetFanRpm);
  return with_device(device, [&](void* asked) {
    const unsigned size = cuda::sizeof_nvmlFanSpeedInfo_t;
    if (const int status = torchada::nvml::check_version(speed, size, 1)) return status;
    const auto fan = torchada::nvml::get<unsigned>(speed, cuda::nvmlFanSpeedInfo_t_fan);
    unsigned told = 0;
    if (const int status = mtmlDeviceGetFanRpm(asked, fan, &told)) {
      return torchada::outcome(function, status);
    }
    torchada::nvml::put(speed, cuda::nvmlFanSpeedInfo_t_speed, told);
    return kSuccess;
  });
}

}  // extern "C"
