// A device's place on its bus.
#pragma once

#include "stubs/nvml/structs.h"

namespace torchada::nvml {

struct PciAddress {
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned device = 0;

  bool operator==(const PciAddress& other) const {
    return domain == other.domain && bus == other.bus && device == other.device;
  }
};

// What MTML tells.
struct PciInfo {
  char bytes[musa::sizeof_MtmlPciInfo] = {};

  unsigned number(unsigned offset) const { return get<unsigned>(bytes, offset); }
  PciAddress address() const {
    return {number(musa::MtmlPciInfo_segment), number(musa::MtmlPciInfo_bus),
            number(musa::MtmlPciInfo_device)};
  }
};

// Reads "[domain:]bus:device[.function]", all hexadecimal. Every device is function 0, so another
// one is no address of a device. False without a change if the text is no such address.
bool parse_address(const char* text, PciAddress* address);

// "00000000:3B:00.0", with so many digits of the domain.
using AddressText = char[20];
void write_address(const PciAddress& address, unsigned domain_digits, AddressText* text);

// Tells the member at `offset` of what MTML tells.
int tell_number(const Function& function, const void* handle, unsigned* out, unsigned offset);

// Writes an nvmlPciInfo_t from MTML's answer about `device`. Returns MTML's status.
int write_pci_info(void* device, void* info);

}  // namespace torchada::nvml
