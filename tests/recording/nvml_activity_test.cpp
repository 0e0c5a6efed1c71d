// Clocks, utilization, temperature and fans.
#include <cstdint>
#include <string>

#include "tests/recording/nvml_calls.h"

namespace recording::nvml {
namespace {

TEST(NvmlCalls, ClocksAreThoseOfTheParts) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    // Graphics, SM, memory, video.
    const char* const parts[] = {"Gpu", "Gpu", "Memory", "Vpu"};
    std::uint32_t clock = 0;
    for (std::uint64_t type = 0; type < 4; ++type) {
      const std::string part = parts[type];
      const std::string open = "DeviceInit" + part, close = "DeviceFree" + part;
      nvml.expect_call(0, "DeviceGetClockInfo", {device, type, word(&clock)},
                       open + " " + part + "GetClock " + close);
      nvml.expect_call(0, "DeviceGetMaxClockInfo", {device, type, word(&clock)},
                       open + " " + part + "GetMaxClock " + close);
      nvml.expect_call(0, "DeviceGetClock", {device, type, 0, word(&clock)},
                       open + " " + part + "GetClock " + close);
      for (std::uint64_t which = 1; which < 4; ++which) {
        nvml.expect_call(kNotSupported, "DeviceGetClock", {device, type, which, word(&clock)}, "");
      }
    }
    nvml.expect_call(kInvalid, "DeviceGetClockInfo", {device, 4, word(&clock)}, "");
    nvml.expect_call(kInvalid, "DeviceGetClock", {device, 0, 4, word(&clock)}, "");
  });
}

TEST(NvmlCalls, UtilizationAndTemperature) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    const std::uint32_t gpu = 93, memory = 41;
    recording_write("mtmlGpuGetUtilization", 1, &gpu, sizeof gpu);
    recording_write("mtmlMemoryGetUtilization", 1, &memory, sizeof memory);
    std::uint32_t rates[2] = {};
    nvml.expect_call(0, "DeviceGetUtilizationRates", {device, word(rates)},
                     "DeviceInitGpu GpuGetUtilization DeviceFreeGpu DeviceInitMemory "
                     "MemoryGetUtilization DeviceFreeMemory");
    nvml.expect(rates[0] == 93 && rates[1] == 41, "rates");
    const std::uint32_t codec[6] = {10, 1000, 20, 30, 0, 0};  // All, period, encoder, decoder.
    recording_write("mtmlVpuGetUtilization", 1, codec, sizeof codec);
    std::uint32_t percent = 0, period = 0;
    nvml.call("DeviceGetEncoderUtilization", {device, word(&percent), word(&period)});
    nvml.expect(percent == 20 && period == 1000, "encoder");
    nvml.call("DeviceGetDecoderUtilization", {device, word(&percent), word(&period)});
    nvml.expect(percent == 30 && period == 1000, "decoder");
    std::int32_t degrees = 61;
    const std::string asked = "DeviceInitGpu GpuGetTemperature DeviceFreeGpu";
    recording_write("mtmlGpuGetTemperature", 1, &degrees, sizeof degrees);
    std::uint32_t told = 0;
    nvml.expect_call(0, "DeviceGetTemperature", {device, 0, word(&told)}, asked);
    nvml.expect(told == 61, "temperature");
    nvml.expect_call(kInvalid, "DeviceGetTemperature", {device, 1, word(&told)}, "");
    degrees = -5;
    recording_write("mtmlGpuGetTemperature", 1, &degrees, sizeof degrees);
    nvml.expect_call(kNotSupported, "DeviceGetTemperature", {device, 0, word(&told)}, asked);
    nvml.expect(told == 61, "a temperature below 0");
    std::int32_t versioned[3] = {12 | 1 << 24, 0, 0};
    nvml.expect_call(0, "DeviceGetTemperatureV", {device, word(versioned)}, asked);
    nvml.expect(versioned[2] == -5, "signed temperature");
    versioned[0] = 12 | 2 << 24;
    nvml.expect_call(kVersion, "DeviceGetTemperatureV", {device, word(versioned)}, "");
    std::uint32_t fan[3] = {12 | 1 << 24, 1, 0};
    const std::uint32_t turns = 2100;
    recording_write("mtmlDeviceGetFanRpm", 2, &turns, sizeof turns);
    nvml.expect_call(0, "DeviceGetFanSpeedRPM", {device, word(fan)}, "DeviceGetFanRpm");
    nvml.expect(nvml.argument(0, 1) == 1 && fan[2] == 2100, "turns of the fan");
  });
}

}  // namespace
}  // namespace recording::nvml
