// What mthreads-gmi shows of a device, as libmtml tells it, in the words that the command uses.
#pragma once

#include <string>
#include <vector>

namespace gmi {

// Each text is "N/A" where libmtml says that the device has nothing of the kind.
struct Device {
  std::string index, name, brand, uuid, serial, bios;
  std::string bus, bus_id, vendor, device, lanes;
  std::string total, used, free;                    // of memory
  std::string busy, memory_busy, encoder, decoder;  // in percent
  std::string temperature, power, graphics_clock, memory_clock, video_clock, ecc;
  bool parts = false;  // whether it can be divided
};

struct Machine {
  std::string driver;   // its version
  std::string command;  // the version that the command tells: libmtml's
  std::vector<Device> devices;
};

// Throws std::runtime_error with what libmtml answered.
Machine read_machine();

}  // namespace gmi
