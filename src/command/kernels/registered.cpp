#include "src/command/kernels/registered.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/command/check/check.h"
#include "src/command/command.h"
#include "src/command/installation.h"
#include "src/command/output.h"
#include "src/command/text_layout.h"
#include "src/shared/processor_count.h"

namespace torchada::kernels {
namespace {

using check::Report;
using check::Verdict;
using Json = nlohmann::ordered_json;

bool is_missing(const check::Kernel& kernel) { return kernel.place.path.empty(); }

std::size_t missing_in(const Report& report) {
  const std::vector<check::Kernel>& all = report.device.kernels;
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_missing));
}

// Torchada is never asked for its kernels.
bool is_out_of_reach(const Report& report) {
  return report.static_runtime && report.device.launches;
}

// What keeps the list of a file's kernels from being all of them.
std::vector<std::string> gaps_in(const Report& report) {
  if (report.verdict == Verdict::kUnreadable) return report.reasons;
  if (is_out_of_reach(report)) {
    return {
        "it has the static CUDA runtime, which never asks torchada for a kernel: link it with nvcc "
        "-cudart shared"};
  }
  if (report.kind == "source") {
    return {"it is a source: name the program or library that was built from it"};
  }
  std::vector<std::string> out = report.unexamined;
  if (!report.device.unknown.empty()) out.push_back(report.device.unknown);
  if (const std::string name = loads_code(report); !name.empty()) {
    out.push_back("it loads device code at run time, with " + name +
                  ": the file does not tell which kernels it asks for");
  }
  return out;
}

bool is_shown(const Report& report) {
  if (report.named || !report.device.kernels.empty()) return true;
  return report.kind != "source" && !gaps_in(report).empty();
}

std::string counted_kernels(const Report& report) {
  const std::size_t count = report.device.kernels.size();
  if (count == 0) return gaps_in(report).empty() ? "registers no kernel" : "no kernel found";
  return std::to_string(count) + (count == 1 ? " kernel" : " kernels");
}

std::string place_of(const check::Kernel& kernel) {
  const KernelPlace& place = kernel.place;
  if (!place.doubtful.empty()) {
    return "missing: " + place.doubtful + " have it with internal linkage, so that neither is used";
  }
  if (place.path.empty()) return "missing";
  return place.path + (place.also_in.empty() ? "" : "; also in " + place.also_in);
}

std::string text_of(const RegisteredRequest& request, const Report& report) {
  std::string out = coloured(report.path, Colour::kBold) + ": " + counted_kernels(report);
  const bool compared = request.libraries != nullptr && !report.device.kernels.empty();
  const std::size_t missing = missing_in(report);
  if (compared && missing == 0) out += ", all in kernel libraries";
  if (compared && missing > 0) out += ", " + std::to_string(missing) + " missing";
  out += "\n";
  for (const check::Kernel& kernel : report.device.kernels) {
    if (request.only_missing && !is_missing(kernel)) continue;
    out += line(1, kernel.kernel.signature + (compared ? ": " + place_of(kernel) : ""));
  }
  for (const std::string& gap : gaps_in(report)) out += line(1, "note: " + gap);
  return out;
}

Json json_of(const RegisteredRequest& request, const Report& report) {
  Json out = {{"path", report.path}, {"kernels", Json::array()}, {"gaps", gaps_in(report)}};
  if (request.libraries != nullptr) out["missing"] = missing_in(report);
  for (const check::Kernel& kernel : report.device.kernels) {
    if (!request.only_missing || is_missing(kernel)) {
      out["kernels"].push_back(check::json_of(kernel));
    }
  }
  return out;
}

Json json_of(const KernelLibrary& library) {
  return {{"path", library.path},
          {"kernels", library.image.kernels.size()},
          {"fault", library.image.fault}};
}

// As of torchada check: what cannot work at all counts most.
int status_of(const RegisteredRequest& request, const std::vector<Report>& reports) {
  int out = kExitOk;
  bool is_unread = false;
  for (const Report& report : reports) {
    is_unread |= report.verdict == Verdict::kUnreadable;
    if (!request.only_missing) continue;
    if (is_out_of_reach(report)) return kExitCannot;
    if (missing_in(report) > 0 || !gaps_in(report).empty()) out = kExitNo;
  }
  return is_unread ? kExitFailed : out;
}

}  // namespace

int report_registered(const RegisteredRequest& request) {
  const check::Standings standings(installation_root());
  check::Options options;
  options.kernels = true;
  options.kernel_libraries = request.libraries;
  std::vector<Report> reports =
      check::examine_paths(request.paths, standings, options, processor_count()).reports;
  reports.erase(std::remove_if(reports.begin(), reports.end(),
                               [](const Report& report) { return !is_shown(report); }),
                reports.end());
  const int status = status_of(request, reports);
  if (request.json) {
    Json out = {{"libraries", Json::array()}, {"files", Json::array()}};
    if (request.libraries != nullptr) {
      for (const KernelLibrary& library : request.libraries->list()) {
        out["libraries"].push_back(json_of(library));
      }
    }
    for (const Report& report : reports) out["files"].push_back(json_of(request, report));
    return write_output(json_text(out), status);
  }
  std::string text;
  for (const Report& report : reports) text += text_of(request, report);
  return write_output(text.empty() ? "no file registers a kernel\n" : text, status);
}

}  // namespace torchada::kernels
