// Initialisation, handles, statuses, and what MTML does not tell.
#include <cstdint>
#include <string>
#include <utility>

#include "tests/recording/nvml_calls.h"

namespace recording::nvml {
namespace {

TEST(NvmlCalls, InitialisationsAreCounted) {
  check([](Nvml& nvml) {
    std::uint32_t count = 7;
    nvml.expect_call(kUninitialized, "DeviceGetCount_v2", {word(&count)}, "");
    nvml.expect_call(kUninitialized, "Shutdown", {}, "");
    nvml.expect_call(0, "Init_v2", {}, "LibraryInit");
    nvml.expect_call(0, "InitWithFlags", {3}, "");
    nvml.expect_call(0, "Init", {}, "");
    nvml.expect_call(0, "DeviceGetCount", {word(&count)}, "LibraryCountDevice");
    nvml.expect(nvml.argument(0, 0) == kLibrary && count == 3, "count");
    nvml.expect_call(0, "Shutdown", {}, "");
    nvml.expect_call(0, "Shutdown", {}, "");
    nvml.expect_call(0, "Shutdown", {}, "LibraryShutDown");
    nvml.expect(nvml.argument(0, 0) == kLibrary, "closed another library");
    nvml.expect_call(kUninitialized, "Shutdown", {}, "");
    nvml.expect_call(kUninitialized, "DeviceGetCount_v2", {word(&count)}, "");
  });
}

TEST(NvmlCalls, FailedInitialisationIsNone) {
  check([](Nvml& nvml) {
    recording_answer("mtmlLibraryInit", 1);
    nvml.expect_call(kNotLoaded, "Init_v2", {}, "LibraryInit");
    recording_answer("mtmlLibraryInit", 2);
    nvml.expect_call(kUnknown, "Init_v2", {}, "LibraryInit");
    nvml.expect_call(kUninitialized, "Shutdown", {}, "");
  });
}

TEST(NvmlCalls, HandlesStayValid) {
  check([](Nvml& nvml) {
    nvml.call("Init_v2");
    const std::uint64_t first = nvml.device(1);
    nvml.expect(nvml.calls() == "LibraryCountDevice LibraryInitDeviceByIndex", nvml.calls());
    nvml.expect(nvml.argument(1, 0) == kLibrary && nvml.argument(1, 1) == 1, "another device");
    nvml.expect(nvml.device(1) == first && nvml.calls() == "LibraryCountDevice", nvml.calls());
    nvml.expect(nvml.device(2) != first, "one handle for two devices");
    std::uint64_t none = 5;
    nvml.expect_call(kInvalid, "DeviceGetHandleByIndex_v2", {3, word(&none)}, "LibraryCountDevice");
    nvml.expect(none == 5, "a handle of no device");
    std::uint32_t power = 0;
    for (const std::uint64_t handle : {std::uint64_t{0}, first + 1, first + 2048, word(&power)}) {
      nvml.expect_call(kInvalid, "DeviceGetPowerUsage", {handle, word(&power)}, "");
    }
    nvml.call("Shutdown");
    nvml.expect_call(kUninitialized, "DeviceGetPowerUsage", {first, word(&power)}, "");
    nvml.call("Init_v2");
    nvml.expect_call(0, "DeviceGetPowerUsage", {first, word(&power)},
                     "LibraryInitDeviceByIndex DeviceGetPowerUsage");
    nvml.expect(nvml.argument(0, 1) == 1, "opened another device");
  });
}

TEST(NvmlCalls, StatusesAreNvmls) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    const std::pair<int, int> statuses[] = {
        {1, 9},  {2, kLost}, {3, 2},   {4, 3},   {5, 4},    {6, 7},    {7, 6},    {8, 20},
        {9, 18}, {10, 18},   {11, 10}, {12, 19}, {13, 999}, {77, 999}, {-1, 999}, {999, 999}};
    const std::uint32_t told = 250;
    recording_write("mtmlDeviceGetPowerUsage", 1, &told, sizeof told);
    for (const auto& [mtml, nvidia] : statuses) {
      recording_answer("mtmlDeviceGetPowerUsage", mtml);
      std::uint32_t power = 7;
      nvml.expect_call(nvidia, "DeviceGetPowerUsage", {device, word(&power)},
                       "DeviceGetPowerUsage");
      nvml.expect(power == 7, "a failed call wrote");
    }
    recording_answer("mtmlDeviceGetPowerUsage", 0);
    std::uint32_t power = 0;
    nvml.expect_call(0, "DeviceGetPowerUsage", {device, word(&power)}, "DeviceGetPowerUsage");
    nvml.expect(power == 250 && nvml.argument(0, 0) == mtml_device(1), "power");
    nvml.expect_call(kInvalid, "DeviceGetPowerUsage", {device, 0}, "");
  });
}

// What MTML does not tell is refused, and nobody is shown an empty list.
TEST(NvmlCalls, ProcessesAreNotSupported) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    std::uint32_t count = 7;
    char room[256] = {};
    for (const char* kind : {"Compute", "Graphics", "MPSCompute"}) {
      for (const char* version : {"", "_v2", "_v3"}) {
        nvml.expect_call(kNotSupported,
                         "DeviceGet" + std::string(kind) + "RunningProcesses" + version,
                         {device, word(&count), word(room)}, "");
        nvml.expect(count == 7, "a number of processes");
      }
    }
    std::uint32_t mode = 7;
    nvml.expect_call(kNotSupported, "DeviceGetComputeMode", {device, word(&mode)}, "");
    nvml.expect_call(kNotSupported, "DeviceGetPersistenceMode", {device, word(&mode)}, "");
    nvml.expect_call(kNotSupported, "DeviceGetMigMode", {device, word(&mode), word(&mode)}, "");
    nvml.expect(mode == 7, "a mode");
    nvml.expect_call(0, "DeviceIsMigDeviceHandle", {device, word(&mode)}, "");
    nvml.expect(mode == 0, "a MIG device");
  });
}

}  // namespace
}  // namespace recording::nvml
