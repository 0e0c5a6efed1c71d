#include "stubs/nvml/pci.h"

#include <string.h>

namespace torchada::nvml {
namespace {

// Up to eight hexadecimal digits; null if there is none, or more.
const char* read_hexadecimal(const char* text, unsigned* number) {
  unsigned value = 0;
  int digits = 0;
  for (;; ++text, ++digits) {
    const char at = *text;
    unsigned digit = 0;
    if (at >= '0' && at <= '9') {
      digit = static_cast<unsigned>(at - '0');
    } else if (at >= 'a' && at <= 'f') {
      digit = static_cast<unsigned>(at - 'a' + 10);
    } else if (at >= 'A' && at <= 'F') {
      digit = static_cast<unsigned>(at - 'A' + 10);
    } else {
      break;
    }
    if (digits == 8) return nullptr;
    value = 16 * value + digit;
  }
  *number = value;
  return digits == 0 ? nullptr : text;
}

char* write_hexadecimal(unsigned number, unsigned digits, char* at) {
  for (unsigned shift = 4 * digits; shift != 0;) {
    shift -= 4;
    *at++ = "0123456789ABCDEF"[number >> shift & 15];
  }
  return at;
}

}  // namespace

int tell_number(const Function& function, const void* device, unsigned* out, unsigned offset) {
  return tell(function, device, out, [&](void* asked, unsigned* value) {
    PciInfo own;
    const int status = mtmlDeviceGetPciInfo(asked, own.bytes);
    *value = own.number(offset);
    return status;
  });
}

bool parse_address(const char* text, PciAddress* address) {
  unsigned numbers[3] = {};
  int count = 0;
  const char* at = text;
  for (;;) {
    at = read_hexadecimal(at, &numbers[count]);
    if (!at) return false;
    ++count;
    if (*at != ':' || count == 3) break;
    ++at;
  }
  unsigned function = 0;
  if (*at == '.') at = read_hexadecimal(at + 1, &function);
  if (!at || *at || count < 2 || function != 0) return false;
  const bool has_domain = count == 3;
  const PciAddress read{has_domain ? numbers[0] : 0, numbers[count - 2], numbers[count - 1]};
  if (read.bus > 0xff || read.device > 0x1f) return false;
  *address = read;
  return true;
}

void write_address(const PciAddress& address, unsigned domain_digits, AddressText* text) {
  char* at = write_hexadecimal(address.domain, domain_digits, *text);
  *at++ = ':';
  at = write_hexadecimal(address.bus, 2, at);
  *at++ = ':';
  at = write_hexadecimal(address.device, 2, at);
  memcpy(at, ".0", sizeof ".0");
}

int write_pci_info(void* device, void* info) {
  PciInfo own;
  if (const int status = mtmlDeviceGetPciInfo(device, own.bytes)) return status;
  const PciAddress address = own.address();
  AddressText text;
  constexpr unsigned kShort = 4, kLong = 8;  // Digits of the domain.
  write_address(address, kShort, &text);
  memcpy(static_cast<char*>(info) + cuda::nvmlPciInfo_t_busIdLegacy, text, strlen(text) + 1);
  write_address(address, kLong, &text);
  memcpy(static_cast<char*>(info) + cuda::nvmlPciInfo_t_busId, text, strlen(text) + 1);
  put(info, cuda::nvmlPciInfo_t_domain, address.domain);
  put(info, cuda::nvmlPciInfo_t_bus, address.bus);
  put(info, cuda::nvmlPciInfo_t_device, address.device);
  put(info, cuda::nvmlPciInfo_t_pciDeviceId, own.number(musa::MtmlPciInfo_pciDeviceId));
  put(info, cuda::nvmlPciInfo_t_pciSubSystemId, own.number(musa::MtmlPciInfo_pciSubsystemId));
  return kSuccess;
}

}  // namespace torchada::nvml

using torchada::nvml::tell_number;
namespace musa = torchada::musa;

namespace {

// MTML tells billions of transfers in a second, on each lane; NVML millions. The nearest number; 0
// for what is no speed.
unsigned millions_of(float billions) {
  constexpr float kMost = 1e6F;
  return billions > 0 && billions < kMost ? (static_cast<unsigned>(2000 * billions) + 1) / 2 : 0;
}

}  // namespace

extern "C" {

int torchada_adapter_nvmlDeviceGetPcieSpeed(void* device, unsigned* speed) {
  return torchada::nvml::tell(TORCHADA_NVML(DeviceGetPcieSpeed, DeviceGetPciInfo), device, speed,
                              [](void* asked, unsigned* value) {
                                torchada::nvml::PciInfo own;
                                const int status = mtmlDeviceGetPciInfo(asked, own.bytes);
                                const auto told = torchada::nvml::get<float>(
                                    own.bytes, musa::MtmlPciInfo_pciCurSpeed);
                                *value = millions_of(told);
                                return status;
                              });
}

// NVML's codes of speeds (NVML_PCIE_LINK_MAX_SPEED_2500MBPS and so on) number the generations.
int torchada_adapter_nvmlDeviceGetPcieLinkMaxSpeed(void* device, unsigned* code) {
  const auto function = TORCHADA_NVML(DeviceGetPcieLinkMaxSpeed, DeviceGetPciInfo);
  unsigned generation = 0;
  const int status =
      tell_number(function, device, code ? &generation : nullptr, musa::MtmlPciInfo_pciMaxGen);
  if (status) return status;
  constexpr unsigned kNewest = 6;
  if (generation == 0 || generation > kNewest) {
    return torchada::refuse(function, "MTML reports a generation for which NVML has no code");
  }
  *code = generation;
  return torchada::nvml::kSuccess;
}

}  // extern "C"
