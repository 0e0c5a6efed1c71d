// What the environment says about the simulated machine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace musa {

constexpr int kMaxDevices = 64;

struct Config {
  int devices = 1;  // of the machine
  // Physical indices of the visible ones, in the order in which the program numbers them.
  std::vector<int> visible_devices;
  std::size_t memory_per_device = 0;
  // The processes with which this one shares the devices' memory; empty: none.
  std::string account;
};

// TORCHADA_HOST_DEVICES, TORCHADA_HOST_MEMORY, TORCHADA_HOST_ACCOUNT and MUSA_VISIBLE_DEVICES. A
// line tells a malformed value, which counts as unset. The list of visible devices instead ends at
// its first bad entry.
Config read_config();

// Which of MUSA's architectures the devices say they have (TORCHADA_HOST_ARCH: mp_21, mp_22, mp_31;
// anything else counts as mp_31). Only mp_31 has warps of 32 threads: mappings/musa/README.md.
struct Architecture {
  int major = 3;
  int minor = 1;
  int warp_size = 32;
};
const Architecture& architecture();

// The two parsers, usable without the environment.
std::optional<std::size_t> parse_size(const char* text);
std::vector<int> parse_visible_devices(const char* text, int device_count);

}  // namespace musa
