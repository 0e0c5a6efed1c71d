// The probes, by what they look at. Names are those that --only takes.
#pragma once

#include <string>
#include <vector>

#include "../probe.h"

namespace torchada::verify {

// Run first and alone: the report's host facts, and the version by which the SDK is told.
Probe host_probe();
// What host_probe told.
struct Host {
  int runtime = 0, driver = 0;  // As MUSA numbers them; 0 where it did not say.
  int sdk = 0;                  // By the runtime's version.
  struct Device {
    std::string name, architecture;  // "mp_22"
  };
  std::vector<Device> devices;
};
Host host_of(const std::vector<Outcome>& outcomes);

std::vector<Probe> file_probes(const Host& host);  // Symbols, SONAMEs, versions, variables.
std::vector<Probe> runtime_probes();
std::vector<Probe> graph_probes();
std::vector<Probe> layout_probes();
std::vector<Probe> blas_probes();
std::vector<Probe> blas_enum_probes();
std::vector<Probe> blas_lt_probes();
std::vector<Probe> random_probes();
std::vector<Probe> collective_probes();
std::vector<Probe> quirk_probes();

}  // namespace torchada::verify
