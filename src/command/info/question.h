// What our own libraries say of the devices. Asked in a child process: a driver that crashes or
// hangs must not take the command with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend_choice.h"

namespace torchada::info {

struct Device {
  std::string name;
  std::uint64_t total_memory = 0, free_memory = 0;  // Bytes.
  std::string capability;                           // As programs see it: "2.2".
  std::string architecture;                         // "mp_22"; empty on the CPU.
  int multiprocessors = 0;
  int warp_size = 0;
};

// One library's version as programs see it; empty where it did not say.
struct Version {
  std::string library, version;
};

struct Answer {
  std::string error;  // Nothing else is known then.
  std::vector<Device> devices;
  std::string no_devices;  // Why there are none: "cudaErrorNoDevice (100)".
  std::vector<Version> versions;
  std::string musart;       // The libmusart that was opened; empty if none was.
  int sdk = 0, driver = 0;  // MUSA's own numbers, major*10000 + minor*100 + patch; 0: not told.
};

// `root` is torchada's. Waits `timeout` seconds at most.
Answer ask(const std::string& root, const BackendChoice& choice, int timeout);

}  // namespace torchada::info
