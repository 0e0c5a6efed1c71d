// A device's memory and its errors.
#include <cstdint>
#include <string>

#include "tests/recording/nvml_calls.h"

namespace recording::nvml {
namespace {

TEST(NvmlCalls, MemoryHasTwoVersions) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    const std::uint64_t total = 48ULL << 30, used = 3ULL << 30;
    recording_write("mtmlMemoryGetTotal", 1, &total, sizeof total);
    recording_write("mtmlMemoryGetUsed", 1, &used, sizeof used);
    const std::string calls = "DeviceInitMemory MemoryGetTotal MemoryGetUsed DeviceFreeMemory";
    std::uint64_t old[3] = {};
    nvml.expect_call(0, "DeviceGetMemoryInfo", {device, word(old)}, calls);
    nvml.expect(old[0] == total && old[1] == total - used && old[2] == used, "first version");
    nvml.expect(nvml.argument(1, 0) == kPart && nvml.argument(3, 0) == kPart, "another part");
    std::uint64_t memory[5] = {40 | 2 << 24, 1, 1, 1, 1};
    nvml.expect_call(0, "DeviceGetMemoryInfo_v2", {device, word(memory)}, calls);
    nvml.expect(
        memory[1] == total && memory[2] == 0 && memory[3] == total - used && memory[4] == used,
        "second version");
    for (const std::uint64_t version : {0U, 40U, 40U | 1U << 24, 40U | 3U << 24, 24U | 2U << 24}) {
      std::uint64_t wrong[5] = {version, 1, 1, 1, 1};
      nvml.expect_call(kVersion, "DeviceGetMemoryInfo_v2", {device, word(wrong)}, "");
      nvml.expect(wrong[1] == 1 && wrong[4] == 1, "wrote to another version");
    }
    // The part is freed whatever MTML says of it.
    recording_answer("mtmlMemoryGetTotal", 2);
    nvml.expect_call(kLost, "DeviceGetMemoryInfo", {device, word(old)},
                     "DeviceInitMemory MemoryGetTotal DeviceFreeMemory");
    recording_answer("mtmlDeviceInitMemory", 8);
    nvml.expect_call(20, "DeviceGetMemoryInfo", {device, word(old)}, "DeviceInitMemory");
  });
}

TEST(NvmlCalls, ErrorsOfTheMemory) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    const std::uint32_t on = 1, off = 0;
    recording_write("mtmlMemoryGetEccMode", 1, &on, sizeof on);
    recording_write("mtmlMemoryGetEccMode", 2, &off, sizeof off);
    std::uint32_t now = 9, later = 9;
    nvml.call("DeviceGetEccMode", {device, word(&now), word(&later)});
    nvml.expect(now == 1 && later == 0, "mode");
    nvml.expect_call(0, "DeviceSetEccMode", {device, 1},
                     "DeviceInitMemory MemorySetEccMode DeviceFreeMemory");
    nvml.expect(nvml.argument(1, 1) == 1, "mode to set");
    nvml.expect_call(kInvalid, "DeviceSetEccMode", {device, 2}, "");
    const std::uint64_t errors = 5000000000;
    recording_write("mtmlMemoryGetEccErrorCounter", 4, &errors, sizeof errors);
    std::uint64_t told = 0;
    nvml.call("DeviceGetTotalEccErrors", {device, 1, 0, word(&told)});
    nvml.expect(told == errors && nvml.argument(1, 1) == 1 && nvml.argument(1, 2) == 0 &&
                    nvml.argument(1, 3) == 1,
                "counter");
    nvml.call("DeviceGetMemoryErrorCounter", {device, 0, 1, 2, word(&told)});
    nvml.expect(nvml.argument(1, 1) == 0 && nvml.argument(1, 2) == 1 && nvml.argument(1, 3) == 1,
                "counter of the location");
    nvml.expect_call(kNotSupported, "DeviceGetMemoryErrorCounter", {device, 0, 1, 1, word(&told)},
                     "");
    nvml.expect_call(kInvalid, "DeviceGetMemoryErrorCounter", {device, 0, 1, 99, word(&told)}, "");
    nvml.expect_call(kInvalid, "DeviceGetTotalEccErrors", {device, 2, 0, word(&told)}, "");
    nvml.call("DeviceClearEccErrorCounts", {device, 1});
    nvml.expect(nvml.argument(1, 1) == 1, "counter to clear");

    const std::uint32_t counts[2] = {1, 2};  // Single and double bit errors.
    recording_write("mtmlMemoryGetRetiredPagesCount", 1, counts, sizeof counts);
    std::uint64_t pages[14] = {111, 0x1000, 0,   0,     0,
                               0,   0,      222, 0x2000};  // Time, address, 40 bytes.
    recording_write("mtmlMemoryGetRetiredPages", 3, pages, sizeof pages);
    std::uint32_t count = 0;
    nvml.expect(
        nvml.call("DeviceGetRetiredPages", {device, 1, word(&count), 0}) == kTooSmall && count == 2,
        "number of pages");
    std::uint64_t addresses[3] = {7, 7, 7}, times[3] = {7, 7, 7};
    count = 3;
    nvml.expect(nvml.call("DeviceGetRetiredPages_v2",
                          {device, 1, word(&count), word(addresses), word(times)}) == 0,
                "pages");
    nvml.expect(count == 2 && addresses[0] == 0x1000 && addresses[1] == 0x2000 && times[0] == 111 &&
                    times[1] == 222 && addresses[2] == 7 && times[2] == 7,
                "what pages");
    nvml.expect(nvml.argument(2, 1) == 1 && nvml.argument(2, 2) == 2, "cause and number");
  });
}

}  // namespace
}  // namespace recording::nvml
