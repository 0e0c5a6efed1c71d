// Where the simulated devices say they are.
#pragma once

#include "musa_runtime_api.h"

namespace musa {

struct PciAddress {
  unsigned int domain = 0;
  unsigned int bus = 0;
  unsigned int slot = 0;
  bool operator==(const PciAddress&) const = default;
};

PciAddress pci_address(const musaDeviceProp& prop);

// Reads "domain:bus:slot.function" in hexadecimal; domain and function may be missing. False if
// the text is something else.
bool parse_pci_bus_id(const char* text, PciAddress* address);

}  // namespace musa
