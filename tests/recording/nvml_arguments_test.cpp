// Every adapter of NVML with arguments drawn at random, against a backend that answers at random:
// the status is one that NVML documents, and nothing is written behind what a program passed, nor
// anywhere if the call fails.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/recording/behaviour.h"
#include "tests/recording/child.h"
#include "tests/recording/decisions.h"
#include "tests/recording/words.h"

namespace recording {
namespace {

constexpr char kFile[] = "nvml/libnvidia-ml.so.1";
constexpr unsigned char kCanary = 0xa5;
constexpr int kTooSmall = 7, kNewestStatus = 30, kUnknown = 999;

enum class Kind {
  kDevice,     // A handle.
  kNumber,     // An integer.
  kOut,        // A pointer to `size` bytes.
  kVersioned,  // The same, whose first word is `size` and `version`.
  kText,       // A buffer; the length is the next parameter.
  kLength,
  kCount,   // The number of elements of `size` bytes in the next parameter.
  kArray,   // As many as kCount said.
  kRoom,    // A pointer to such a number, which the call may change.
  kString,  // A text that the program passes.
};

struct Parameter {
  Kind kind;
  unsigned size = 0;
  unsigned version = 0;
};

constexpr Parameter kDevice{Kind::kDevice}, kNumber{Kind::kNumber}, kString{Kind::kString},
    kText{Kind::kText}, kLength{Kind::kLength}, kOut4{Kind::kOut, 4}, kOut8{Kind::kOut, 8},
    kCount{Kind::kCount}, kRoom{Kind::kRoom}, kArray8{Kind::kArray, 8};

using Parameters = std::vector<Parameter>;

// After "nvml". Written by hand from nvml.h; a test compares the names with the tables.
const std::map<std::string, Parameters>& functions() {
  static const std::map<std::string, Parameters> kFunctions = [] {
    std::map<std::string, Parameters> out = {
        {"Init", {}},
        {"Init_v2", {}},
        {"InitWithFlags", {kNumber}},
        {"Shutdown", {}},
        {"SystemGetCudaDriverVersion", {kOut4}},
        {"SystemGetCudaDriverVersion_v2", {kOut4}},
        {"SystemGetNVMLVersion", {kText, kLength}},
        {"SystemGetDriverVersion", {kText, kLength}},
        {"DeviceGetCount", {kOut4}},
        {"DeviceGetCount_v2", {kOut4}},
        {"DeviceGetHandleByIndex", {kNumber, kOut8}},
        {"DeviceGetHandleByIndex_v2", {kNumber, kOut8}},
        {"DeviceGetHandleByPciBusId", {kString, kOut8}},
        {"DeviceGetHandleByPciBusId_v2", {kString, kOut8}},
        {"DeviceGetHandleBySerial", {kString, kOut8}},
        {"DeviceGetHandleByUUID", {kString, kOut8}},
        {"DeviceGetHandleByUUIDV", {{Kind::kVersioned, 52, 1}, kOut8}},
        {"DeviceGetPciInfo", {kDevice, {Kind::kOut, 32}}},
        {"DeviceGetPciInfo_v2", {kDevice, {Kind::kOut, 36}}},
        {"DeviceGetPciInfo_v3", {kDevice, {Kind::kOut, 68}}},
        {"DeviceGetMemoryInfo", {kDevice, {Kind::kOut, 24}}},
        {"DeviceGetMemoryInfo_v2", {kDevice, {Kind::kVersioned, 40, 2}}},
        {"DeviceGetUtilizationRates", {kDevice, kOut8}},
        {"DeviceGetEncoderUtilization", {kDevice, kOut4, kOut4}},
        {"DeviceGetDecoderUtilization", {kDevice, kOut4, kOut4}},
        {"DeviceGetClockInfo", {kDevice, kNumber, kOut4}},
        {"DeviceGetMaxClockInfo", {kDevice, kNumber, kOut4}},
        {"DeviceGetClock", {kDevice, kNumber, kNumber, kOut4}},
        {"DeviceGetTemperature", {kDevice, kNumber, kOut4}},
        {"DeviceGetTemperatureV", {kDevice, {Kind::kVersioned, 12, 1}}},
        {"DeviceGetFanSpeed_v2", {kDevice, kNumber, kOut4}},
        {"DeviceGetFanSpeedRPM", {kDevice, {Kind::kVersioned, 12, 1}}},
        {"DeviceGetCudaComputeCapability", {kDevice, kOut4, kOut4}},
        {"DeviceGetP2PStatus", {kDevice, kDevice, kNumber, kOut4}},
        {"DeviceGetTopologyCommonAncestor", {kDevice, kDevice, kOut4}},
        {"DeviceOnSameBoard", {kDevice, kDevice, kOut4}},
        {"DeviceGetTopologyNearestGpus", {kDevice, kNumber, kRoom, kArray8}},
        {"DeviceGetCpuAffinity", {kDevice, kCount, kArray8}},
        {"DeviceGetCpuAffinityWithinScope", {kDevice, kCount, kArray8, kNumber}},
        {"DeviceGetMemoryAffinity", {kDevice, kCount, kArray8, kNumber}},
        {"DeviceGetEccMode", {kDevice, kOut4, kOut4}},
        {"DeviceSetEccMode", {kDevice, kNumber}},
        {"DeviceGetTotalEccErrors", {kDevice, kNumber, kNumber, kOut8}},
        {"DeviceGetMemoryErrorCounter", {kDevice, kNumber, kNumber, kNumber, kOut8}},
        {"DeviceClearEccErrorCounts", {kDevice, kNumber}},
        {"DeviceGetRetiredPages", {kDevice, kNumber, kRoom, kArray8}},
        {"DeviceGetRetiredPages_v2", {kDevice, kNumber, kRoom, kArray8, kArray8}},
        {"DeviceGetNvLinkState", {kDevice, kNumber, kOut4}},
        {"DeviceGetNvLinkCapability", {kDevice, kNumber, kNumber, kOut4}},
        {"DeviceGetNvLinkRemotePciInfo", {kDevice, kNumber, {Kind::kOut, 68}}},
        {"DeviceGetNvLinkRemotePciInfo_v2", {kDevice, kNumber, {Kind::kOut, 68}}},
        {"DeviceGetNvLinkRemoteDeviceType", {kDevice, kNumber, kOut4}},
        {"DeviceGetFieldValues", {kDevice, kCount, {Kind::kArray, 40}}},
    };
    for (const char* name :
         {"DeviceGetIndex", "DeviceGetMinorNumber", "DeviceGetBrand", "DeviceGetNumFans",
          "DeviceGetFanSpeed", "DeviceGetNumGpuCores", "DeviceGetPowerUsage",
          "DeviceGetMemoryBusWidth", "DeviceGetNumaNodeId", "DeviceIsMigDeviceHandle",
          "DeviceGetCurrPcieLinkGeneration", "DeviceGetCurrPcieLinkWidth",
          "DeviceGetMaxPcieLinkGeneration", "DeviceGetMaxPcieLinkWidth", "DeviceGetPcieSpeed",
          "DeviceGetPcieLinkMaxSpeed", "DeviceGetRetiredPagesPendingStatus"}) {
      out[name] = {kDevice, kOut4};
    }
    for (const char* name :
         {"DeviceGetName", "DeviceGetUUID", "DeviceGetSerial", "DeviceGetVbiosVersion"}) {
      out[name] = {kDevice, kText, kLength};
    }
    return out;
  }();
  return kFunctions;
}

// What MTML may write, by hand from its header: the parameter, from 0, and the bytes. Of texts as
// much as the library may pass.
struct Written {
  const char* name;
  unsigned argument;
  unsigned size;
};

constexpr Written kWritten[] = {
    {"mtmlDeviceGetUUID", 1, 48},
    {"mtmlDeviceGetName", 1, 32},
    {"mtmlDeviceGetVbiosVersion", 1, 64},
    {"mtmlDeviceGetRenderPath", 1, 64},
    {"mtmlDeviceGetSerialNumber", 2, 64},
    {"mtmlSystemGetDriverVersion", 1, 80},
    {"mtmlLibraryGetVersion", 1, 32},
    {"mtmlDeviceGetPciInfo", 1, 104},
    {"mtmlVpuGetUtilization", 1, 24},
    {"mtmlDeviceGetMtLinkSpec", 1, 28},
    {"mtmlMemoryGetTotal", 1, 8},
    {"mtmlMemoryGetUsed", 1, 8},
    {"mtmlMemoryGetEccErrorCounter", 4, 8},
    {"mtmlMemoryGetEccMode", 1, 4},
    {"mtmlMemoryGetEccMode", 2, 4},
    {"mtmlMemoryGetRetiredPagesPendingStatus", 1, 4},
    {"mtmlDeviceGetP2PStatus", 3, 4},
    {"mtmlDeviceGetTopologyLevel", 2, 4},
    {"mtmlDeviceCountMtLinkLayouts", 2, 4},
    {"mtmlDeviceGetMtLinkState", 2, 4},
    {"mtmlDeviceGetMtLinkCapStatus", 3, 4},
    {"mtmlDeviceGetPowerUsage", 1, 4},
    {"mtmlGpuGetUtilization", 1, 4},
    {"mtmlGpuGetTemperature", 1, 4},
    {"mtmlDeviceGetMemoryAffinityWithinNode", 2, 8},
    {"mtmlDeviceGetCpuAffinityWithinNode", 2, 8},
};

// Memory that ends where nothing may be read or written.
class Guarded {
 public:
  Guarded() {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* memory =
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory");
    start_ = static_cast<unsigned char*>(memory);
    end_ = start_ + page;
    if (mprotect(end_, page, PROT_NONE) != 0) throw std::runtime_error("cannot guard a page");
  }

  unsigned char* take(std::size_t size) {
    std::memset(start_, kCanary, static_cast<std::size_t>(end_ - start_));
    taken_ = end_ - size;
    return taken_;
  }
  bool is_whole() const {
    for (const unsigned char* at = start_; at < taken_; ++at) {
      if (*at != kCanary) return false;
    }
    return true;
  }

 private:
  unsigned char* start_;
  unsigned char* end_;
  unsigned char* taken_ = nullptr;
};

class Round {
 public:
  Round(std::mt19937_64* random, const std::vector<std::uint64_t>* handles, Guarded* places)
      : random_(random), handles_(handles), places_(places) {}

  Words words(const Parameters& parameters) {
    Words out;
    for (const Parameter& parameter : parameters) out.push_back(word(parameter));
    return out;
  }

  // What is wrong after a call that returned `status`.
  std::string complaint(int status) const {
    const bool is_known = (status >= 0 && status <= kNewestStatus) || status == kUnknown;
    if (!is_known) return "status " + std::to_string(status);
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (!places_[i].is_whole()) return "wrote before what was passed";
      const Used& used = used_[i];
      const bool may_change = status == 0 || (status == kTooSmall && used.is_room);
      if (!may_change && std::memcmp(used.start, used.before.data(), used.before.size()) != 0) {
        return "failed with " + std::to_string(status) + " and wrote";
      }
    }
    return "";
  }

 private:
  struct Used {
    unsigned char* start;
    std::vector<unsigned char> before;
    bool is_room;
  };

  std::uint64_t draw(std::uint64_t below) { return (*random_)() % below; }

  std::uint64_t pass(const void* data, std::size_t size, bool is_room = false) {
    unsigned char* const start = places_[used_.size()].take(size);
    if (data != nullptr) std::memcpy(start, data, size);
    used_.push_back({start, {start, start + size}, is_room});
    return reinterpret_cast<std::uintptr_t>(start);
  }

  std::uint64_t pointer(std::size_t size) { return draw(8) == 0 ? 0 : pass(nullptr, size); }

  std::uint64_t word(const Parameter& parameter) {
    switch (parameter.kind) {
      case Kind::kDevice:
        if (draw(16) == 0) return (*random_)();
        return (*handles_)[draw(handles_->size())];
      case Kind::kNumber:
        return draw(8) == 0 ? (*random_)() >> 32 : draw(2) == 0 ? draw(6) : 10 * draw(6);
      case Kind::kOut:
        return pointer(parameter.size);
      case Kind::kVersioned: {
        std::vector<unsigned char> data(parameter.size, 0);
        std::uint32_t version = parameter.size | parameter.version << 24;
        if (draw(4) == 0) version ^= 1U << draw(32);
        std::memcpy(data.data(), &version, sizeof version);
        data[4] = static_cast<unsigned char>(draw(3));
        return draw(16) == 0 ? 0 : pass(data.data(), data.size());
      }
      case Kind::kText:
        count_ = draw(100);
        return draw(16) == 0 ? 0 : pass(nullptr, count_);
      case Kind::kLength:
        return count_;
      case Kind::kCount:
        count_ = draw(17);
        return count_;
      case Kind::kArray:
        return pointer(count_ * parameter.size);
      case Kind::kRoom: {
        count_ = draw(17);
        const auto number = static_cast<std::uint32_t>(count_);
        return draw(16) == 0 ? 0 : pass(&number, sizeof number, true);
      }
      case Kind::kString: {
        static const char* const kTexts[] = {"", "GPU-", "0000:3b:00.0", "ffffffff:ff:1f",
                                             "GPU-01234567-89ab-cdef-0123-456789abcdef"};
        const std::string text = kTexts[draw(std::size(kTexts))];
        return draw(16) == 0 ? 0 : pass(text.c_str(), text.size() + 1);
      }
    }
    return 0;
  }

  std::mt19937_64* random_;
  const std::vector<std::uint64_t>* handles_;
  Guarded* places_;
  std::vector<Used> used_;
  std::uint64_t count_ = 0;
};

// MTML answers anything, and writes anything if it succeeds or not.
void answer_at_random(std::mt19937_64* random) {
  static const int kStatuses[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 999, -1, 1 << 30};
  recording_answer_all(0);
  const std::uint32_t devices = static_cast<std::uint32_t>((*random)() % 4);
  recording_write("mtmlLibraryCountDevice", 1, &devices, sizeof devices);
  const std::uint32_t few = static_cast<std::uint32_t>((*random)() % 20);
  const std::uint32_t counts[2] = {few, few / 2};
  recording_write("mtmlMemoryGetRetiredPagesCount", 1, counts, sizeof counts);
  recording_write("mtmlDeviceCountDeviceByTopologyLevel", 2, &few, sizeof few);
  for (const Written& written : kWritten) {
    std::vector<unsigned char> data(written.size);
    for (unsigned char& byte : data) byte = static_cast<unsigned char>((*random)());
    recording_write(written.name, written.argument, data.data(), data.size());
    recording_answer(written.name,
                     (*random)() % 3 == 0 ? kStatuses[(*random)() % std::size(kStatuses)] : 0);
  }
}

std::string call_at_random(const std::string& name, unsigned seed) {
  const Library library(kFile, MUSA_ROOT);
  std::mt19937_64 random(seed);
  Guarded places[4];
  recording_answer_all(0);
  const std::uint64_t mtml = 0xde00;
  const std::uint32_t devices = 3;
  recording_write("mtmlLibraryInit", 0, &mtml, sizeof mtml);
  recording_write("mtmlLibraryCountDevice", 1, &devices, sizeof devices);
  recording_write("mtmlLibraryInitDeviceByIndex", 2, &mtml, sizeof mtml);
  recording_write("mtmlDeviceGetMtLinkRemoteDevice", 2, &mtml, sizeof mtml);
  library.call("nvmlInit_v2", {});
  std::vector<std::uint64_t> handles(devices);
  for (std::uint64_t i = 0; i < devices; ++i) {
    library.call("nvmlDeviceGetHandleByIndex_v2",
                 {i, reinterpret_cast<std::uintptr_t>(&handles[i])});
  }
  constexpr int kRounds = 300;
  for (int i = 0; i < kRounds; ++i) {
    answer_at_random(&random);
    Round round(&random, &handles, places);
    const Words words = round.words(functions().at(name));
    announce("nvml" + name + ", round " + std::to_string(i));
    const std::string complaint = round.complaint(library.call("nvml" + name, words));
    if (!complaint.empty()) {
      return "nvml" + name + ", seed " + std::to_string(seed) + ", round " + std::to_string(i) +
             ": " + complaint + "\n";
    }
  }
  return "";
}

TEST(NvmlArguments, NothingIsWrittenBehindThem) {
  const unsigned seed = std::random_device{}();
  for (const auto& [name, parameters] : functions()) {
    EXPECT_EQ("", in_child([&, &name = name] { return call_at_random(name, seed); }));
  }
}

TEST(NvmlArguments, EveryAdapterIsCalled) {
  std::set<std::string> adapters;
  for (const Decision& decision : read_decisions(DECISIONS_FILE, "nvml-13")) {
    const bool has_adapter = decision.decision == "emulated" || decision.decision == "delegated";
    if (has_adapter) adapters.insert(decision.cuda.substr(4));
  }
  adapters.erase("ErrorString");  // Takes a number and returns a text: tests/programs calls it.
  std::set<std::string> called;
  for (const auto& [name, parameters] : functions()) called.insert(name);
  EXPECT_EQ(adapters, called);
}

}  // namespace
}  // namespace recording
