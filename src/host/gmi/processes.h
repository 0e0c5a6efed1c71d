// The processes that have memory of the devices in use.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gmi {

struct Process {
  int device;  // its index
  pid_t id;
  std::string name;  // the path of its program; "N/A" if it cannot be read
  std::uint64_t bytes;
};

// By device and number.
std::vector<Process> read_processes();

}  // namespace gmi
