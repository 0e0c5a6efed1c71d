// Hand-written adapters of NVML against the recording backend. The numbers of both sides are
// written here by hand, from nvml.h and from MTML's published header.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

constexpr char kFile[] = "nvml/libnvidia-ml.so.1";
constexpr std::uint64_t kLibrary = 0x11b0, kPart = 0x9a70;
constexpr int kUninitialized = 1, kInvalid = 2, kNotSupported = 3, kNotFound = 6, kTooSmall = 7,
              kNotLoaded = 9, kLost = 15, kVersion = 25, kUnknown = 999;

std::uint64_t word(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::uint64_t mtml_device(unsigned index) { return 0xde00 + index; }

// A struct of 104 bytes, as MTML tells a device's address.
struct PciInfo {
  char sbdf[32] = "00001234:3b:01.0";
  std::uint32_t segment = 0x1234, bus = 0x3b, device = 1, id = 0x01231ed5, subsystem = 0x00011ed5;
  std::uint32_t bus_width = 0;
  float most_speed = 32, speed = 2.5F;
  std::uint32_t most_width = 16, width = 8, most_generation = 5, generation = 1;
  std::int32_t reserved[6] = {};
};
static_assert(sizeof(PciInfo) == 104);

class Nvml {
 public:
  Nvml() : library_(kFile, MUSA_ROOT) {
    recording_answer_all(0);
    const std::uint32_t count = 3;
    recording_write("mtmlLibraryInit", 0, &kLibrary, sizeof kLibrary);
    recording_write("mtmlLibraryCountDevice", 1, &count, sizeof count);
    for (const char* part : {"mtmlDeviceInitGpu", "mtmlDeviceInitMemory", "mtmlDeviceInitVpu"}) {
      recording_write(part, 1, &kPart, sizeof kPart);
    }
  }

  int call(const std::string& name, const Words& words = {}) {
    const int status = library_.call("nvml" + name, words);
    log_ = backend_log();
    return status;
  }

  // What the last call called, of MTML's names what comes after "mtml".
  std::string calls() const {
    std::string out;
    for (const LoggedCall& call : log_) {
      const bool is_mtml = call.musa.starts_with("mtml");
      out += (out.empty() ? "" : " ") + (is_mtml ? call.musa.substr(4) : call.musa);
    }
    return out;
  }
  std::uint64_t argument(std::size_t call, std::size_t index) const {
    return received(log_.at(call), index);
  }

  void expect(bool right, const std::string& what) {
    if (!right) complaints_ += what + "\n";
  }
  void expect_call(int status, const std::string& name, const Words& words,
                   const std::string& calls) {
    const int got = call(name, words);
    expect(got == status, name + ": " + std::to_string(got));
    expect(this->calls() == calls, name + " called " + this->calls());
  }

  std::uint64_t device(unsigned index) {
    const std::uint64_t own = mtml_device(index);
    recording_write("mtmlLibraryInitDeviceByIndex", 2, &own, sizeof own);
    std::uint64_t handle = 0;
    call("DeviceGetHandleByIndex_v2", {index, word(&handle)});
    return handle;
  }
  // Initialised, with one device open.
  std::uint64_t start() {
    call("Init_v2");
    return device(1);
  }

  std::string complaints() const { return complaints_; }

 private:
  Library library_;
  CallLog log_;
  std::string complaints_;
};

// What `body(nvml)` complains about, in a process of its own.
template <typename Body>
void check(Body body) {
  EXPECT_EQ("", in_child([&] {
              Nvml nvml;
              body(nvml);
              return nvml.complaints();
            }));
}

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

TEST(NvmlCalls, AddressesOnTheBus) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    const PciInfo own;
    recording_write("mtmlDeviceGetPciInfo", 1, &own, sizeof own);
    struct {
      char legacy[16];
      std::uint32_t domain, bus, device, id, subsystem;
      char address[32];
    } info = {};
    static_assert(sizeof info == 68);
    nvml.expect_call(0, "DeviceGetPciInfo_v3", {device, word(&info)}, "DeviceGetPciInfo");
    nvml.expect(std::strcmp(info.legacy, "1234:3B:01.0") == 0, info.legacy);
    nvml.expect(std::strcmp(info.address, "00001234:3B:01.0") == 0, info.address);
    nvml.expect(info.domain == 0x1234 && info.bus == 0x3b && info.device == 1 &&
                    info.id == 0x01231ed5 && info.subsystem == 0x00011ed5,
                "numbers");
    // Programs that call the older names have a shorter struct.
    for (const auto& [name, size] :
         {std::pair{"DeviceGetPciInfo", 32}, {"DeviceGetPciInfo_v2", 36}}) {
      std::array<unsigned char, 68> bytes;
      bytes.fill(0xa5);
      nvml.call(name, {device, word(bytes.data())});
      nvml.expect(std::memcmp(bytes.data(), "1234:3B:01.0", 13) == 0, name);
      for (std::size_t at = static_cast<std::size_t>(size); at < bytes.size(); ++at) {
        nvml.expect(bytes[at] == 0xa5, std::string(name) + " wrote byte " + std::to_string(at));
      }
    }
    std::uint32_t number = 0;
    const std::pair<const char*, std::uint32_t> numbers[] = {
        {"DeviceGetCurrPcieLinkGeneration", 1}, {"DeviceGetMaxPcieLinkGeneration", 5},
        {"DeviceGetCurrPcieLinkWidth", 8},      {"DeviceGetMaxPcieLinkWidth", 16},
        {"DeviceGetPcieSpeed", 2500},           {"DeviceGetPcieLinkMaxSpeed", 5}};
    for (const auto& [name, expected] : numbers) {
      nvml.expect_call(0, name, {device, word(&number)}, "DeviceGetPciInfo");
      nvml.expect(number == expected, std::string(name) + " " + std::to_string(number));
    }
    std::uint64_t found = 0;
    for (const char* text : {"00001234:3B:01.0", "1234:3b:01.0", "1234:3b:1", "00001234:3b:01"}) {
      nvml.expect(nvml.call("DeviceGetHandleByPciBusId_v2", {word(text), word(&found)}) == 0, text);
    }
    for (const char* text : {"0000:3b:01.0", "3b:01.0", "1234:3c:01.0", "1234:3b:02"}) {
      nvml.expect(nvml.call("DeviceGetHandleByPciBusId", {word(text), word(&found)}) == kNotFound,
                  text);
    }
    for (const char* text : {"", "x", "3b", "1234:3b:01.1", "1:2:3:4", "1234:3b:01.0 ", ":3b:01",
                             "123456789:3b:01", "1234:13b:01", "1234:3b:20"}) {
      nvml.expect(nvml.call("DeviceGetHandleByPciBusId_v2", {word(text), word(&found)}) == kInvalid,
                  text);
    }
  });
}

TEST(NvmlCalls, IdentifiersHaveThePrefix) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    const char own[] = "01234567-89ab-cdef-0123-456789abcdef";
    const std::string expected = std::string("GPU-") + own;
    recording_write("mtmlDeviceGetUUID", 1, own, sizeof own);
    char text[96] = {};
    nvml.expect_call(0, "DeviceGetUUID", {device, word(text), sizeof text}, "DeviceGetUUID");
    nvml.expect(expected == text, text);
    nvml.expect_call(kTooSmall, "DeviceGetUUID", {device, word(text), 40}, "DeviceGetUUID");
    nvml.expect_call(0, "DeviceGetUUID", {device, word(text), 41}, "DeviceGetUUID");
    std::uint64_t found = 0;
    nvml.expect(nvml.call("DeviceGetHandleByUUID", {word(text), word(&found)}) == 0, "by UUID");
    nvml.expect(nvml.call("DeviceGetHandleByUUID", {word("GPU-0"), word(&found)}) == kNotFound,
                "another UUID");
    struct {
      std::uint32_t version = 52 | 1 << 24, type = 1;
      char value[44] = {};
    } versioned;
    static_assert(sizeof versioned == 52);
    std::memcpy(versioned.value, text, 41);
    const Words by_text = {word(&versioned), word(&found)};
    nvml.expect(nvml.call("DeviceGetHandleByUUIDV", by_text) == 0, "as text");
    versioned.type = 2;
    nvml.expect(nvml.call("DeviceGetHandleByUUIDV", by_text) == kNotFound, "the text as bytes");
    const unsigned char bytes[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                     0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    std::memcpy(versioned.value, bytes, sizeof bytes);
    nvml.expect(nvml.call("DeviceGetHandleByUUIDV", by_text) == 0, "as bytes");
    versioned.type = 3;
    nvml.expect(nvml.call("DeviceGetHandleByUUIDV", by_text) == kInvalid, "another type");
    versioned.version = 52;
    nvml.expect(nvml.call("DeviceGetHandleByUUIDV", by_text) == kVersion, "another version");
    // The error of a device that is lost, if no other is the one.
    recording_answer("mtmlDeviceGetUUID", 2);
    nvml.expect(nvml.call("DeviceGetHandleByUUID", {word(text), word(&found)}) == kLost, "lost");
  });
}

TEST(NvmlCalls, NamesAndVersions) {
  check([](Nvml& nvml) {
    char text[32] = {};
    std::uint32_t version = 0;
    nvml.expect_call(0, "SystemGetCudaDriverVersion", {word(&version)}, "");
    nvml.expect(version >= 13000 && version < 20000, "CUDA's version");
    const char mtml[] = "2.2.0";
    recording_write("mtmlLibraryGetVersion", 1, mtml, sizeof mtml);
    nvml.expect_call(0, "SystemGetNVMLVersion", {word(text), sizeof text},
                     "LibraryInit LibraryGetVersion LibraryShutDown");
    nvml.expect(std::strcmp(text, "13.2.2.0") == 0, text);
    nvml.expect_call(kUninitialized, "SystemGetDriverVersion", {word(text), sizeof text}, "");
    const std::uint64_t device = nvml.start();
    nvml.expect_call(0, "SystemGetNVMLVersion", {word(text), sizeof text}, "LibraryGetVersion");
    const char driver[] = "3.3.1";
    recording_write("mtmlSystemGetDriverVersion", 1, driver, sizeof driver);
    nvml.expect_call(0, "SystemGetDriverVersion", {word(text), sizeof text},
                     "LibraryInitSystem SystemGetDriverVersion LibraryFreeSystem");
    nvml.expect(std::strcmp(text, driver) == 0, text);
    nvml.expect_call(kTooSmall, "SystemGetDriverVersion", {word(text), 5},
                     "LibraryInitSystem SystemGetDriverVersion LibraryFreeSystem");
    const char name[] = "MTT S4000";
    recording_write("mtmlDeviceGetName", 1, name, sizeof name);
    nvml.expect_call(0, "DeviceGetName", {device, word(text), sizeof text}, "DeviceGetName");
    nvml.expect(std::strcmp(text, name) == 0, text);
    // MTML takes the length before the text.
    const char serial[] = "0123456789";
    recording_write("mtmlDeviceGetSerialNumber", 2, serial, sizeof serial);
    nvml.expect_call(0, "DeviceGetSerial", {device, word(text), 30}, "DeviceGetSerialNumber");
    nvml.expect(std::strcmp(text, serial) == 0, text);
    std::uint64_t found = 0;
    nvml.expect(nvml.call("DeviceGetHandleBySerial", {word(serial), word(&found)}) == 0, "serial");
    const char path[] = "/dev/dri/renderD129";
    recording_write("mtmlDeviceGetRenderPath", 1, path, sizeof path);
    std::uint32_t number = 0;
    nvml.expect_call(0, "DeviceGetMinorNumber", {device, word(&number)}, "DeviceGetRenderPath");
    nvml.expect(number == 129, "minor number");
    const std::uint32_t mtt = 0;
    recording_write("mtmlDeviceGetBrand", 1, &mtt, sizeof mtt);
    number = 9;
    nvml.expect_call(0, "DeviceGetBrand", {device, word(&number)}, "DeviceGetBrand");
    nvml.expect(number == 0, "brand");
  });
}

TEST(NvmlCalls, TopologyHasNvmlsNumbers) {
  check([](Nvml& nvml) {
    nvml.call("Init_v2");
    const std::uint64_t one = nvml.device(1), two = nvml.device(2);
    for (std::uint32_t level = 0; level < 6; ++level) {
      recording_write("mtmlDeviceGetTopologyLevel", 2, &level, sizeof level);
      std::uint32_t told = 7, same = 7;
      nvml.expect_call(0, "DeviceGetTopologyCommonAncestor", {one, two, word(&told)},
                       "DeviceGetTopologyLevel");
      nvml.expect(told == 10 * level, "level");
      nvml.expect(nvml.argument(0, 0) == mtml_device(1) && nvml.argument(0, 1) == mtml_device(2),
                  "devices");
      nvml.call("DeviceOnSameBoard", {one, two, word(&same)});
      nvml.expect(same == (level == 0), "board");
      std::uint32_t count = 0;
      nvml.call("DeviceGetTopologyNearestGpus", {one, 10 * level, word(&count), 0});
      nvml.expect(nvml.argument(0, 1) == level, "level of nearest");
    }
    std::uint32_t count = 0;
    nvml.expect_call(kInvalid, "DeviceGetTopologyNearestGpus", {one, 15, word(&count), 0}, "");
    const std::uint32_t two_devices = 2, index = 2;
    const std::uint64_t nearest[2] = {mtml_device(2), mtml_device(2)};
    recording_write("mtmlDeviceCountDeviceByTopologyLevel", 2, &two_devices, sizeof two_devices);
    recording_write("mtmlDeviceGetDeviceByTopologyLevel", 3, nearest, sizeof nearest);
    recording_write("mtmlDeviceGetIndex", 1, &index, sizeof index);
    std::uint64_t handles[2] = {0, 5};
    nvml.call("DeviceGetTopologyNearestGpus", {one, 50, word(&count), 0});
    nvml.expect(count == 2, "number of nearest");
    count = 1;
    nvml.call("DeviceGetTopologyNearestGpus", {one, 50, word(&count), word(handles)});
    nvml.expect(count == 1 && handles[0] == two && handles[1] == 5, "nearest");

    const int statuses[][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 6}, {9, 6}};
    for (const auto& [own, expected] : statuses) {
      recording_write("mtmlDeviceGetP2PStatus", 3, &own, sizeof own);
      for (std::uint64_t capability = 0; capability < 2; ++capability) {
        std::uint32_t told = 99;
        nvml.expect_call(0, "DeviceGetP2PStatus", {one, two, capability, word(&told)},
                         "DeviceGetP2PStatus");
        nvml.expect(nvml.argument(0, 2) == capability, "capability");
        nvml.expect(static_cast<int>(told) == expected, "status " + std::to_string(told));
      }
    }
    for (const auto& [links, expected] : {std::pair{0U, 5U}, {4U, 0U}}) {
      recording_write("mtmlDeviceCountMtLinkLayouts", 2, &links, sizeof links);
      std::uint32_t told = 99;
      nvml.expect_call(0, "DeviceGetP2PStatus", {one, two, 2, word(&told)},
                       "DeviceCountMtLinkLayouts");
      nvml.expect(told == expected, "links");
    }
    std::uint32_t told = 99;
    nvml.expect_call(kNotSupported, "DeviceGetP2PStatus", {one, two, 3, word(&told)}, "");
    nvml.expect_call(kInvalid, "DeviceGetP2PStatus", {one, two, 5, word(&told)}, "");
    nvml.expect(told == 99, "a refused call wrote");

    const std::uint64_t set[2] = {0x10, 0};
    recording_write("mtmlDeviceGetMemoryAffinityWithinNode", 2, set, sizeof set);
    std::uint64_t nodes[2] = {};
    nvml.call("DeviceGetMemoryAffinity", {one, 2, word(nodes), 0});
    nvml.expect(nodes[0] == 0x10 && nvml.argument(0, 1) == 2, "nodes");
    nvml.expect_call(kNotSupported, "DeviceGetMemoryAffinity", {one, 2, word(nodes), 1}, "");
    nvml.expect_call(kInvalid, "DeviceGetMemoryAffinity", {one, 2, word(nodes), 2}, "");
    std::uint32_t node = 0;
    nvml.expect(nvml.call("DeviceGetNumaNodeId", {one, word(&node)}) == 0 && node == 4, "node");
    const std::uint64_t many[2] = {0x3, 0};
    recording_write("mtmlDeviceGetMemoryAffinityWithinNode", 2, many, sizeof many);
    nvml.expect(nvml.call("DeviceGetNumaNodeId", {one, word(&node)}) == kNotSupported, "nodes");
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

TEST(NvmlCalls, MtLinkInThePlaceOfNvLink) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    for (const auto& [state, active] : {std::pair{0U, 0U}, {1U, 1U}, {2U, 1U}, {3U, 0U}}) {
      recording_write("mtmlDeviceGetMtLinkState", 2, &state, sizeof state);
      std::uint32_t told = 9;
      nvml.expect_call(0, "DeviceGetNvLinkState", {device, 6, word(&told)}, "DeviceGetMtLinkState");
      nvml.expect(told == active && nvml.argument(0, 1) == 6, "state");
    }
    const std::uint32_t yes = 1;
    recording_write("mtmlDeviceGetMtLinkCapStatus", 3, &yes, sizeof yes);
    for (const auto& [capability, own] : {std::pair{0U, 0U}, {2U, 1U}}) {
      std::uint32_t told = 9;
      nvml.call("DeviceGetNvLinkCapability", {device, 6, capability, word(&told)});
      nvml.expect(told == 1 && nvml.argument(0, 2) == own, "capability");
    }
    std::uint32_t told = 9;
    nvml.expect_call(kNotSupported, "DeviceGetNvLinkCapability", {device, 6, 1, word(&told)}, "");
    nvml.expect_call(kInvalid, "DeviceGetNvLinkCapability", {device, 6, 60, word(&told)}, "");
    const std::uint64_t remote = mtml_device(2);
    recording_write("mtmlDeviceGetMtLinkRemoteDevice", 2, &remote, sizeof remote);
    const PciInfo own;
    recording_write("mtmlDeviceGetPciInfo", 1, &own, sizeof own);
    char info[68] = {};
    nvml.expect_call(0, "DeviceGetNvLinkRemotePciInfo_v2", {device, 6, word(info)},
                     "DeviceGetMtLinkRemoteDevice DeviceGetPciInfo");
    nvml.expect(nvml.argument(1, 0) == remote && std::strcmp(info, "1234:3B:01.0") == 0, "remote");
    nvml.expect_call(0, "DeviceGetNvLinkRemoteDeviceType", {device, 6, word(&told)},
                     "DeviceGetMtLinkRemoteDevice");
    nvml.expect(told == 0, "type of the remote device");

    struct Field {
      std::uint32_t field, scope;
      std::int64_t time, latency;
      std::uint32_t type, status;
      std::uint64_t value;
    };
    static_assert(sizeof(Field) == 40);
    const std::uint32_t spec[7] = {10000, 30, 6};  // Version, bandwidth, number of links.
    recording_write("mtmlDeviceGetMtLinkSpec", 1, spec, sizeof spec);
    Field fields[3] = {
        {91, 1, 0, -1, 9, 9, 9}, {1, 2, 0, -1, 9, 9, 9}, {0xa5, 0xa5, 1, 1, 1, 1, 1}};
    nvml.expect_call(0, "DeviceGetFieldValues", {device, 2, word(fields)}, "DeviceGetMtLinkSpec");
    nvml.expect(fields[0].status == 0 && fields[0].value == 6 && fields[0].type == 1 &&
                    fields[0].time > 1600000000000000 && fields[0].latency >= 0 &&
                    fields[0].scope == 1,
                "number of links");
    nvml.expect(fields[1].status == kNotSupported && fields[1].value == 9, "another field");
    nvml.expect(fields[2].field == 0xa5 && fields[2].status == 1, "wrote a third field");
    nvml.expect_call(kInvalid, "DeviceGetFieldValues", {device, 0, word(fields)}, "");
  });
}

TEST(NvmlCalls, CapabilityComesFromTheDriver) {
  check([](Nvml& nvml) {
    const std::uint64_t device = nvml.start();
    const PciInfo own;
    recording_write("mtmlDeviceGetPciInfo", 1, &own, sizeof own);
    const std::uint32_t ordinal = 5, number = 3;
    recording_write("muDeviceGetByPCIBusId", 0, &ordinal, sizeof ordinal);
    recording_look("muDeviceGetByPCIBusId", 0, 1);
    recording_write("muDeviceGetAttribute", 0, &number, sizeof number);
    std::uint32_t major = 0, minor = 0;
    const Words words = {device, word(&major), word(&minor)};
    nvml.expect(nvml.call("DeviceGetCudaComputeCapability", words) == 0, "capability");
    nvml.expect(nvml.calls() ==
                    "DeviceGetPciInfo muInit muDeviceGetByPCIBusId muDeviceGetAttribute "
                    "muDeviceGetAttribute",
                nvml.calls());
    nvml.expect(nvml.argument(3, 1) == 75 && nvml.argument(4, 1) == 76 && nvml.argument(3, 2) == 5,
                "attributes");
    nvml.expect(major == 3 && minor == 3, "numbers");
    recording_answer("muDeviceGetByPCIBusId", 101);
    nvml.expect(nvml.call("DeviceGetCudaComputeCapability", words) == kNotSupported, "hidden");
  });
  EXPECT_EQ("", in_child([] {
              setenv("TORCHADA_COMPUTE_CAPABILITY", "8.6", 1);
              Nvml nvml;
              std::uint32_t major = 0, minor = 0;
              const std::uint64_t device = nvml.start();
              nvml.expect_call(0, "DeviceGetCudaComputeCapability",
                               {device, word(&major), word(&minor)}, "DeviceGetPciInfo");
              nvml.expect(major == 8 && minor == 6, "override");
              return nvml.complaints();
            }));
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
}  // namespace recording
