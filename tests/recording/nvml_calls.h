// NVML's functions called against the recording backend. The numbers of both sides are written in
// the tests by hand, from nvml.h and from MTML's published header.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/recording/behaviour.h"
#include "tests/recording/call_log.h"
#include "tests/recording/child.h"
#include "tests/recording/words.h"

namespace recording::nvml {

constexpr std::uint64_t kLibrary = 0x11b0, kPart = 0x9a70;
constexpr int kUninitialized = 1, kInvalid = 2, kNotSupported = 3, kNotFound = 6, kTooSmall = 7,
              kNotLoaded = 9, kLost = 15, kVersion = 25, kUnknown = 999;

inline std::uint64_t word(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

inline std::uint64_t mtml_device(unsigned index) { return 0xde00 + index; }

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
  Nvml() : library_("nvml/libnvidia-ml.so.1", MUSA_ROOT) {
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

}  // namespace recording::nvml
