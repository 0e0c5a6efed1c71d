#include "src/host/gmi/print.h"

namespace gmi {
namespace {

constexpr std::size_t kWidth = 69;
constexpr std::size_t kLeft = 47;    // up to the first bar
constexpr std::size_t kMiddle = 20;  // between the bars

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string rule() { return std::string(kWidth, '-') + "\n"; }
std::string line_between() { return "+" + std::string(kWidth - 2, '-') + "+\n"; }

std::string row(const std::string& left, const std::string& middle, const std::string& right) {
  return padded(left, 26) + "|" + padded(middle, kMiddle) + "|" + right + "\n";
}

std::string last_row(const std::string& right) {
  return std::string(kLeft, ' ') + "|" + padded("", 6) + right + "\n";
}

std::string of_device(const Device& device) {
  return row(padded(device.index, 5) + device.name, device.bus_id,
             padded(device.busy, 6) + device.used + "(" + device.total + ")") +
         row(padded("     Physical", 19) + "N/A", device.lanes,
             padded(device.temperature, 6) + (device.parts ? "YES" : "NO")) +
         last_row(device.ecc);
}

std::string of_process(const Process& process) {
  return padded(std::to_string(process.device), 5) + padded(std::to_string(process.id), 14) +
         padded(process.name, 38) + " " + std::to_string(process.bytes >> 20) + "MiB\n";
}

}  // namespace

std::string table(const Machine& machine, const std::vector<Process>& processes,
                  const std::string& now) {
  std::string text =
      now + "\n" + rule() + padded("    mthreads-gmi:" + machine.command, 33) +
      "Driver Version:" + machine.driver + "\n" + rule() + row("ID   Name", "PCIe", "%GPU  Mem") +
      row("     Device Type   Perf", "Pcie Lane Width", "Temp  MPC Capable") + last_row("ECC Mode");
  for (const Device& device : machine.devices) text += line_between() + of_device(device);
  text += rule() + "\n" + rule() + "Processes:\n" + padded("ID   PID           Process name", 58) +
          "GPU Memory\n" + std::string(63, ' ') + "Usage\n" + line_between();
  for (const Process& process : processes) text += of_process(process);
  if (processes.empty()) text += "   No running processes found\n";
  return text + rule();
}

}  // namespace gmi
