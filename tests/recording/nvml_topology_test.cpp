// How devices are connected.
#include <cstdint>
#include <cstring>
#include <utility>

#include "tests/recording/nvml_calls.h"

namespace recording::nvml {
namespace {

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

}  // namespace
}  // namespace recording::nvml
