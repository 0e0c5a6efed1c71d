// Finds the devices that programs see, by asking MUSA through our own libraries.
#include <algorithm>
#include <cstdlib>

#include "src/command/doctor/checks.h"
#include "src/command/info/question.h"
#include "src/shared/named_devices.h"

namespace torchada::doctor {
namespace {

// The effect of CUDA_VISIBLE_DEVICES.
struct Visible {
  std::string variable, value;
  bool set = false;
};

Visible visible_devices(const Subject& subject) {
  for (const char* name : {"MUSA_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"}) {
    const auto found = subject.environment.find(name);
    if (found != subject.environment.end()) return {name, found->second, true};
  }
  return {};
}

// An empty value hides all devices in CUDA. Public programs expect the same of MUSA.
bool hides_all(const Visible& visible) {
  const std::string first = visible.value.substr(0, visible.value.find(','));
  return visible.set && (first.empty() || first[0] == '-');
}

// An entry that names no device hides what follows.
void check_shown(const Visible& visible, std::size_t shown, Report* report) {
  const auto commas = std::count(visible.value.begin(), visible.value.end(), ',');
  const std::size_t listed = static_cast<std::size_t>(commas) + 1;
  if (!names_devices(visible.variable.c_str(), visible.value.c_str()) || shown == listed) return;
  report->add({"visible-devices-form",
               shown == 0 ? Severity::kError : Severity::kWarning,
               visible.variable + " lists " + std::to_string(listed) + " devices; programs see " +
                   std::to_string(shown),
               {{visible.variable, visible.value}},
               "list either UUIDs of devices, each once, or numbers; a line of torchada says which "
               "entry names no device, when a program calls CUDA"});
}

void check_visible(const Visible& visible, Report* report) {
  if (hides_all(visible)) {
    report->add({"devices-hidden",
                 Severity::kError,
                 visible.variable + " hides every device",
                 {{visible.variable, visible.value}},
                 "unset it, or list device numbers, for example 0,1"});
    return;
  }
  const bool numbers = visible.value.find_first_not_of("0123456789, ") == std::string::npos;
  if (visible.set && !numbers && !names_devices(visible.variable.c_str(), visible.value.c_str())) {
    report->add({"visible-devices-form",
                 Severity::kWarning,
                 visible.variable +
                     " does not list devices by number; how MUSA reads this value is not known",
                 {{visible.variable, visible.value}},
                 "list device numbers, for example 0,1, or -1 for no device"});
  }
}

void check_versions(const info::Answer& answer, Report* report) {
  const int driver = answer.driver >= 20000 ? answer.driver : sdk_of_runtime(answer.driver);
  if (answer.driver == 0 || answer.sdk == 0) return;
  report->fact("MUSA runtime", tables::written_sdk(answer.sdk));
  report->fact("MUSA driver", tables::written_sdk(driver));
  if (driver >= answer.sdk) return;
  report->add(
      {"driver-older",
       answer.devices.empty() ? Severity::kError : Severity::kWarning,
       "the driver is older than the MUSA runtime",
       {{"driver", tables::written_sdk(driver)}, {"runtime", tables::written_sdk(answer.sdk)}},
       "install the driver that the SDK's release notes name, or the SDK that belongs to this "
       "driver"});
}

}  // namespace

bool check_devices(const Subject& subject, const std::string& musart, bool stand_in,
                   Report* report) {
  const Visible visible = visible_devices(subject);
  check_visible(visible, report);
  if (subject.mode != Mode::kHere || report->has("installation-incomplete") ||
      report->has("installation-missing") || report->has("library-damaged") ||
      report->has("library-unreadable")) {
    return false;
  }
  BackendChoice choice;
  choice.backend = stand_in ? Backend::kStandIn : Backend::kMusa;
  choice.musart = musart;
  // Findings report what the libraries would print. Restore the user's value afterwards.
  const char* log = std::getenv("TORCHADA_LOG");
  const std::string users = log == nullptr ? "" : log;
  setenv("TORCHADA_LOG", "off", 1);
  const info::Answer answer = info::ask(subject.installation, choice, subject.timeout);
  if (log == nullptr) {
    unsetenv("TORCHADA_LOG");
  } else {
    setenv("TORCHADA_LOG", users.c_str(), 1);
  }
  if (!answer.error.empty()) {
    report->add({"musa-fails",
                 Severity::kError,
                 "MUSA does not answer",
                 {{musart, answer.error}},
                 "check dmesg; install the driver and the SDK of the same release"});
    return false;
  }
  check_versions(answer, report);
  report->fact("devices", std::to_string(answer.devices.size()));
  // Programs compare it with numbers of NVIDIA's devices, and refuse what is lower.
  if (!answer.devices.empty()) {
    report->fact("compute capability", answer.devices.front().capability);
  }
  check_shown(visible, answer.devices.size(), report);
  if (!answer.devices.empty() || report->has("devices-hidden") ||
      report->has("visible-devices-form")) {
    return !answer.devices.empty();
  }
  report->add(
      {"no-devices",
       Severity::kError,
       "MUSA was found, but it finds no device",
       {{musart, answer.no_devices.empty() ? "no devices" : answer.no_devices}},
       "check mthreads-gmi and dmesg; status 803 means that the driver and the SDK do not match"});
  return false;
}

}  // namespace torchada::doctor
