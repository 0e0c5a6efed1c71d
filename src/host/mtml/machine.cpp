#include "src/host/mtml/machine.h"

#include <mtml.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <string_view>

#include "src/host/mtml/watcher.h"
#include "src/host/musa/device_properties.h"
#include "src/host/musa/pci_bus_id.h"
#include "src/host/shared/variables.h"

namespace mtml {
namespace {

// The environment is read once, as libmusa does.
const musa::Config& config() {
  static const musa::Config known = musa::read_config();
  return known;
}

// Never destroyed: threads may still ask while the process exits.
Watcher& watcher() {
  static auto* const only = new Watcher(config().account);
  return *only;
}

}  // namespace

std::mutex& watcher_mutex() { return watcher().mutex(); }

int device_count() { return config().devices; }

musaDeviceProp properties(int index) {
  return musa::with_processors(musa::fixed_properties({index, index, config().memory_per_device}));
}

std::string uuid(int index) {
  const musaDeviceProp prop = properties(index);
  std::string text;
  for (std::size_t i = 0; i < sizeof(prop.uuid.bytes); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(prop.uuid.bytes[i]));
    text += digits;
  }
  return text;
}

std::string pci_bus_id(int index) {
  const musa::PciAddress at = musa::pci_address(properties(index));
  char text[MTML_DEVICE_PCI_SBDF_BUFFER_SIZE];
  std::snprintf(text, sizeof(text), "%08X:%02X:%02X.0", at.domain, at.bus & 0xff, at.slot & 0xff);
  return text;
}

std::optional<std::uint64_t> memory_in_use(int index) {
  const auto used = watcher().memory_in_use(index);
  if (!used) return used;
  return std::min<std::uint64_t>(*used, config().memory_per_device);
}

std::optional<unsigned int> utilization(int index) { return watcher().utilization(index); }

void watch() { watcher().look(); }

bool is_lost(int index) {
  constexpr const char* kVariable = "TORCHADA_HOST_LOST";
  const char* const lost = secure_getenv(kVariable);
  if (lost == nullptr || *lost == '\0') return false;
  const std::vector<int> devices = musa::parse_visible_devices(lost, device_count());
  if (std::ssize(devices) != 1 + std::ranges::count(std::string_view(lost), ',')) {
    host::say_ignored(kVariable, lost,
                      "numbers of devices below " + std::to_string(device_count()) +
                          ", each once, separated by commas");
    return false;
  }
  return std::ranges::count(devices, index) != 0;
}

}  // namespace mtml
