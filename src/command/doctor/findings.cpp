#include "src/command/doctor/findings.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace torchada::doctor {
namespace {

// Causes come before the findings of the same severity that they produce.
constexpr std::array kOrder = {
    // The kind of program: if it rules torchada out, nothing else matters.
    "program-missing", "program-not-elf", "program-32-bit", "program-setuid", "program-static",
    "static-cudart", "script-cannot-run", "program-not-examined", "script-not-examined",
    "script-in-part", "script-kernels", "program-in-part", "program-kernels",
    // Our files.
    "installation-missing", "installation-incomplete", "library-damaged", "library-unreadable",
    // Which libraries the loader uses.
    "preload-other", "dt-rpath", "library-path-order", "nvidia-first", "nvidia-also",
    "library-not-found", "nothing-found", "static-tls",
    // MUSA.
    "musa-runtime-twice", "musa-path-wrong", "musa-damaged", "musa-unreadable",
    "musa-other-machine", "musa-mixed", "musa-missing", "musa-library-missing", "musa-too-old",
    // The driver.
    "driver-stub", "driver-library-missing", "driver-node-missing", "driver-node-unreadable",
    "devices-hidden", "driver-older", "musa-fails", "no-devices",
    // Problems that affect only a part.
    "two-majors", "two-installations", "library-replaced", "override-wrong", "override", "disable",
    "program-variable", "stale-preload", "stale-library-path", "musa-hint-wrong",
    "musa-loaded-other", "variable-overruled", "visible-devices-form", "unknown-variable", "strict",
    "log-file", "log-off", "not-loaded", "static-tls-reserved", "static-tls-preload", "interposer",
    "driver-for-nvidia", "driver-for-static", "nvml-decides", "nvml-offered", "stand-in"};

std::size_t place(const std::string& id) {
  const auto* const found =
      std::find_if(kOrder.begin(), kOrder.end(), [&](const char* known) { return id == known; });
  return static_cast<std::size_t>(found - kOrder.begin());
}

}  // namespace

void Report::add(Finding finding) {
  if (place(finding.id) == kOrder.size()) {
    throw std::logic_error("finding without a place in the order: " + finding.id);
  }
  findings_.push_back(std::move(finding));
}

void Report::fact(std::string what, std::string value) {
  facts_.push_back({std::move(what), std::move(value)});
}

bool Report::has(const std::string& id) const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [&](const Finding& finding) { return finding.id == id; });
}

bool Report::has_errors() const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [](const Finding& finding) { return finding.severity == Severity::kError; });
}

std::vector<Finding> Report::sorted() const {
  std::vector<Finding> out = findings_;
  std::stable_sort(out.begin(), out.end(), [](const Finding& a, const Finding& b) {
    return a.severity != b.severity ? a.severity < b.severity : place(a.id) < place(b.id);
  });
  return out;
}

}  // namespace torchada::doctor
