// What our own libraries report about the devices. A child process asks them: a driver that crashes
// or hangs must not affect the command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/command/backend_choice.h"

namespace torchada::info {

struct Device {
  std::string name;
  std::uint64_t total_memory = 0, free_memory = 0;  // Bytes.
  std::string capability;                           // As programs see it: "2.2".
  std::string architecture;                         // "mp_22"; empty on the CPU.
  int multiprocessors = 0;
  int warp_size = 0;
  // What MTML tells: memory in use by all processes, and how busy the device is in percent.
  std::optional<std::uint64_t> used_memory;
  std::optional<int> busy;
};

// The version of one library as programs see it. Empty if it did not answer.
struct Version {
  std::string library, version;
  bool by_run = false;  // Only programs that `torchada run` starts find it.
};

struct Answer {
  std::string error;  // If set, nothing else is known.
  std::vector<Device> devices;
  std::string no_devices;  // Why no device was found: "cudaErrorNoDevice (100)".
  std::vector<Version> versions;
  std::string musart;       // The libmusart that was opened. Empty if none.
  std::string management;   // The version of MTML; empty if it does not answer.
  int sdk = 0, driver = 0;  // MUSA's own numbers, major*10000 + minor*100 + patch. 0 if unknown.
};

// `root` is torchada's. Waits at most `timeout` seconds.
Answer ask(const std::string& root, const BackendChoice& choice, int timeout);

}  // namespace torchada::info
