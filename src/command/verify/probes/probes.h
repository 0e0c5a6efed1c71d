// The probes, grouped by subject. --only takes their names.
#pragma once

#include <string>
#include <vector>

#include "src/command/verify/probe.h"

namespace torchada::verify {

// Runs first and alone: finds the report's host facts and the version that determines the SDK.
Probe host_probe();
// The results of host_probe.
struct Host {
  int runtime = 0, driver = 0;  // As MUSA numbers them. 0 if MUSA did not tell.
  int sdk = 0;                  // Derived from the runtime's version.
  struct Device {
    std::string name, architecture;  // "mp_22"
  };
  std::vector<Device> devices;
};
Host host_of(const std::vector<Outcome>& outcomes);

std::vector<Probe> file_probes(const Host& host);  // Symbols, SONAMEs, versions, variables.
// Symbols and SONAMEs, read from the SDK's files. Loads nothing of MUSA, needs no device.
std::vector<Probe> reading_probes();
std::vector<Probe> runtime_memory_probes();
std::vector<Probe> runtime_stream_probes();
std::vector<Probe> runtime_probes();  // Devices and errors.
std::vector<Probe> graph_probes();
std::vector<Probe> layout_probes();
std::vector<Probe> blas_probes();
std::vector<Probe> blas_enum_probes();
std::vector<Probe> blas_lt_probes();
std::vector<Probe> random_probes();
std::vector<Probe> collective_probes();
std::vector<Probe> compiling_probes();
std::vector<Probe> driver_probes();
std::vector<Probe> driver_memory_probes();
std::vector<Probe> driver_sharing_probes();
std::vector<Probe> driver_work_probes();
std::vector<Probe> management_probes();
std::vector<Probe> quirk_probes();
std::vector<Probe> behaviour_probes();

}  // namespace torchada::verify
