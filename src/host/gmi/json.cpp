#include <cstdio>
#include <initializer_list>
#include <utility>

#include "src/host/gmi/print.h"

namespace gmi {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < ' ') {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

using Members = std::initializer_list<std::pair<const char*, std::string>>;

// Members whose values are JSON already.
std::string object(const Members& members, int depth) {
  const std::string indent(static_cast<std::size_t>(depth) * 4, ' ');
  std::string text = "{";
  for (const auto& [name, value] : members) {
    text += (text.size() > 1 ? ",\n" : "\n") + indent + "    " + quoted(name) + ": " + value;
  }
  return text + "\n" + indent + "}";
}

std::string texts(const Members& members) {
  constexpr int kDepth = 3;
  const std::string indent(std::size_t{kDepth} * 4, ' ');
  std::string text = "{";
  for (const auto& [name, value] : members) {
    text +=
        (text.size() > 1 ? ",\n" : "\n") + indent + "    " + quoted(name) + ": " + quoted(value);
  }
  return text + "\n" + indent + "}";
}

std::string of_device(const Device& device) {
  // The blank behind "Power Draw" is the real command's.
  return object({{"Index", quoted(device.index)},
                 {"Product Name", quoted(device.name)},
                 {"Product Brand", quoted(device.brand)},
                 {"GPU UUID", quoted(device.uuid)},
                 {"Serial Number", quoted(device.serial)},
                 {"MTBios Version", quoted(device.bios)},
                 {"PCI", texts({{"Bus", device.bus},
                                {"Bus ID", device.bus_id},
                                {"Vendor ID", device.vendor},
                                {"Device ID", device.device}})},
                 {"FB Memory Usage",
                  texts({{"Total", device.total}, {"Used", device.used}, {"Free", device.free}})},
                 {"Utilization", texts({{"Gpu", device.busy},
                                        {"Memory", device.memory_busy},
                                        {"Encoder", device.encoder},
                                        {"Decoder", device.decoder}})},
                 {"Temperature", texts({{"GPU Current Temp", device.temperature}})},
                 {"Power Readings", texts({{"Power Draw ", device.power},
                                           {"Current Power Limit", "N/A"},
                                           {"Requested Power Limit", "N/A"}})},
                 {"Clocks", texts({{"Graphics", device.graphics_clock},
                                   {"Memory", device.memory_clock},
                                   {"Video", device.video_clock}})}},
                2);
}

}  // namespace

std::string json(const Machine& machine, const std::string& now) {
  std::string devices = "[";
  for (const Device& device : machine.devices) {
    devices += (devices.size() > 1 ? ",\n        " : "\n        ") + of_device(device);
  }
  devices += machine.devices.empty() ? "]" : "\n    ]";
  return object({{"Timestamp", quoted(now)},
                 {"Driver Version", quoted(machine.driver)},
                 {"Attached GPUs", quoted(std::to_string(machine.devices.size()))},
                 {"GPU", devices}},
                0) +
         "\n";
}

}  // namespace gmi
