#include "src/host/musa/pci_bus_id.h"

#include <cstdio>

namespace musa {

PciAddress pci_address(const musaDeviceProp& prop) {
  return {static_cast<unsigned int>(prop.pciDomainID), static_cast<unsigned int>(prop.pciBusID),
          static_cast<unsigned int>(prop.pciDeviceID)};
}

bool parse_pci_bus_id(const char* text, PciAddress* address) {
  int end = 0;
  unsigned int function = 0;
  address->domain = 0;
  if (std::sscanf(text, "%x:%x:%x%n", &address->domain, &address->bus, &address->slot, &end) != 3 &&
      std::sscanf(text, "%x:%x%n", &address->bus, &address->slot, &end) != 2) {
    return false;
  }
  text += end;
  if (*text == '.' && std::sscanf(text, ".%1x%n", &function, &end) == 1) text += end;
  return *text == '\0';
}

}  // namespace musa
