// What a device is: address, identifier, names, versions, capability.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "tests/recording/nvml_calls.h"

namespace recording::nvml {
namespace {

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
    for (const auto& [told, expected] :
         {std::pair{0.0312F, 31U}, {0.0318F, 32U}, {-1.0F, 0U}, {3e38F, 0U}, {std::nanf(""), 0U}}) {
      PciInfo other;
      other.speed = told;
      recording_write("mtmlDeviceGetPciInfo", 1, &other, sizeof other);
      nvml.call("DeviceGetPcieSpeed", {device, word(&number)});
      nvml.expect(number == expected, "a speed of " + std::to_string(told));
    }
    recording_write("mtmlDeviceGetPciInfo", 1, &own, sizeof own);
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

}  // namespace
}  // namespace recording::nvml
