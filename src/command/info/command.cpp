// torchada info
#include "src/command/command.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "src/command/common_options.h"
#include "src/command/info/question.h"
#include "src/command/installation.h"
#include "src/command/messages.h"
#include "src/command/output.h"
#include "src/command/tables.h"
#include "src/shared/printable_string.h"

namespace torchada {
namespace {

using info::Answer;
using info::Device;
using Json = nlohmann::ordered_json;

struct Options {
  std::string format;
  bool platform = false;
  int timeout = 60;
  BackendOptions backend;
};
Options options;

std::string backend_name(const BackendChoice& choice, const Answer& answer) {
  if (answer.devices.empty()) return "none";
  return choice.backend == Backend::kStandIn ? "host" : "musa";
}

std::string version(int number) { return number == 0 ? "" : tables::written_sdk(number); }

std::string gibibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

std::string line(const std::string& key, const std::string& value) {
  return key + std::string(key.size() < 16 ? 16 - key.size() : 1, ' ') + printable(value) + "\n";
}

std::string text_of(const Device& device, std::size_t index) {
  std::string out = coloured("device " + std::to_string(index), Colour::kBold) + "\n";
  out += line("  name", device.name);
  out += line("  memory",
              gibibytes(device.total_memory) + ", " + gibibytes(device.free_memory) + " free");
  out += line(
      "  capability",
      device.capability + (device.architecture.empty() ? "" : " (" + device.architecture + ")"));
  if (device.multiprocessors > 0) {
    out += line("  processors", std::to_string(device.multiprocessors));
  }
  if (device.warp_size > 0) out += line("  warp size", std::to_string(device.warp_size));
  if (device.used_memory) out += line("  in use", gibibytes(*device.used_memory));
  if (device.busy) out += line("  busy", std::to_string(*device.busy) + " %");
  return out;
}

std::string write_text(const BackendChoice& choice, const Answer& answer) {
  std::string out;
  if (choice.backend == Backend::kNone) {
    out += line("MUSA", "not found");
  } else {
    const bool stand_in = choice.backend == Backend::kStandIn;
    const std::string sdk = version(answer.sdk);
    out += line("MUSA", (stand_in ? "the CPU stand-in" : "found") +
                            (sdk.empty() ? "" : ", SDK " + sdk) + ", " +
                            (answer.musart.empty() ? choice.musart : answer.musart));
    if (answer.driver != 0) out += line("driver", version(answer.driver));
    if (!answer.management.empty()) out += line("MTML", answer.management);
  }
  for (const info::Version& item : answer.versions) {
    if (item.version.empty()) continue;
    out += line(item.library,
                item.version + (item.by_run ? " (as programs started with torchada run see it)"
                                            : " (as programs see it)"));
  }
  if (answer.devices.empty()) {
    out += line("devices", answer.no_devices.empty() ? "none" : "none: " + answer.no_devices);
  }
  for (std::size_t i = 0; i < answer.devices.size(); ++i) out += text_of(answer.devices[i], i);
  return out;
}

std::string write_json(const BackendChoice& choice, const Answer& answer) {
  Json out;
  out["platform"] = backend_name(choice, answer);
  out["musa"] = Json();
  if (choice.backend != Backend::kNone) {
    out["musa"] = {{"libmusart", answer.musart.empty() ? choice.musart : answer.musart},
                   {"stand_in", choice.backend == Backend::kStandIn},
                   {"sdk", version(answer.sdk)},
                   {"driver", version(answer.driver)},
                   {"mtml", answer.management}};
  }
  out["versions"] = Json::object();
  out["offered_by_run"] = Json::array();
  for (const info::Version& item : answer.versions) {
    out["versions"][item.library] = item.version;
    if (item.by_run) out["offered_by_run"].push_back(item.library);
  }
  out["no_devices"] = answer.no_devices;
  out["devices"] = Json::array();
  for (const Device& device : answer.devices) {
    out["devices"].push_back({{"name", device.name},
                              {"total_memory", device.total_memory},
                              {"free_memory", device.free_memory},
                              {"capability", device.capability},
                              {"architecture", device.architecture},
                              {"multiprocessors", device.multiprocessors},
                              {"warp_size", device.warp_size}});
    // Not told is not zero.
    if (device.used_memory) out["devices"].back()["used_memory"] = *device.used_memory;
    if (device.busy) out["devices"].back()["busy_percent"] = *device.busy;
  }
  return json_text(out);
}

int run_info(const Invocation& invocation) {
  if (options.timeout < 1)
    throw UsageError("--timeout=" + std::to_string(options.timeout) +
                     ": expected a number of seconds, at least 1");
  const BackendChoice choice = choose_backend(options.backend, invocation);
  const Answer answer = info::ask(installation_root(), choice, options.timeout);
  const int status = answer.devices.empty() ? kExitNo : kExitOk;
  if (options.platform) {
    if (!answer.error.empty()) log_warning("{}", answer.error);
    return write_output(backend_name(choice, answer) + "\n", status);
  }
  if (!answer.error.empty()) throw Failure("cannot list the devices: " + answer.error);
  const bool fell_back =
      choice.backend == Backend::kStandIn && !choice.asked && !choice.root.empty();
  if (fell_back) log_info("no MUSA found; showing the CPU stand-in");
  if (choice.backend == Backend::kNone) {
    log_info("{}", choice.asked ? "no MUSA found" : "no MUSA found, and no CPU stand-in");
  }
  return write_output(
      options.format == "json" ? write_json(choice, answer) : write_text(choice, answer), status);
}

std::vector<Option> info_options() {
  std::vector<Option> out = {
      format_option(&options.format, {"text", "json"}),
      {"platform", Kind::kSwitch, "",
       "print only what torchada run would use: musa, host (the CPU stand-in) or none",
       &options.platform},
      {"timeout", Kind::kNumber, "SECONDS", "how long to wait for the driver", &options.timeout}};
  for (const Option& option : backend_options(&options.backend)) out.push_back(option);
  return out;
}

}  // namespace

const Command& info_command() {
  static const Command command = {
      "info",
      "show the devices and versions that programs see",
      "",
      Words::kNone,
      Kind::kText,
      {"Asks torchada's libraries for devices, memory, compute capability and versions, as a "
       "program would. mp_XX is MUSA's name of the architecture. Memory used by all processes "
       "comes from MTML. Without MUSA, asks the CPU stand-in, as torchada run does, and says so. "
       "With --backend=musa, never asks the stand-in."},
      info_options(),
      {{kExitOk, "at least one device was found"},
       {kExitNo, "no device was found"},
       {kExitUsage, "bad usage"},
       {kExitFailed, "the driver did not answer, or the output could not be written"}},
      {{"info --platform", "musa, host or none"},
       {"info --backend=host", "the CPU stand-in, even if MUSA is installed"}},
      run_info};
  return command;
}

}  // namespace torchada
