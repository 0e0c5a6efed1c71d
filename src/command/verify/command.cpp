// torchada verify
#include "src/command/command.h"

#include <fnmatch.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <thread>

#include "src/command/backend_choice.h"
#include "src/command/check/progress.h"
#include "src/command/common_options.h"
#include "src/command/installation.h"
#include "src/command/output.h"
#include "src/command/verify/report.h"

namespace torchada {
namespace {

using verify::Probe;

constexpr int kMostJobs = 64;
constexpr int kHostTimeout = 60;  // A driver may take long to start.

struct Options {
  std::string format, report, musa_root, only = "*";
  bool all = false;
  int jobs = 0;
  int timeout = 10;
};
Options options;

std::vector<Probe> chosen_probes(const verify::Host& host) {
  std::vector<Probe> all;
  const auto add = [&](const std::vector<Probe>& probes) {
    all.insert(all.end(), probes.begin(), probes.end());
  };
  add(verify::file_probes(host));
  add(verify::runtime_probes());
  add(verify::graph_probes());
  add(verify::layout_probes());
  add(verify::blas_enum_probes());
  add(verify::blas_probes());
  add(verify::blas_lt_probes());
  add(verify::random_probes());
  add(verify::collective_probes());
  add(verify::driver_probes());
  add(verify::driver_memory_probes());
  add(verify::driver_sharing_probes());
  add(verify::driver_work_probes());
  add(verify::quirk_probes());
  std::vector<Probe> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), [](const Probe& probe) {
    return fnmatch(options.only.c_str(), probe.name.c_str(), 0) == 0;
  });
  if (out.empty()) {
    std::string names;
    for (const Probe& probe : all) names += " " + probe.name;
    throw UsageError("--only=" + options.only +
                     ": no probe has such a name; expected a pattern that matches one of:" + names);
  }
  return out;
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// Finds the facts about this host, including the SDK that selects the tables' facts.
verify::Subject examine(const std::string& musart, verify::Facts* facts) {
  verify::Subject out;
  out.files = read_musa_files(musart);
  out.date = now();
  // Too early to know the SDK; but the calls of the first probe are the same in all SDKs.
  facts->choose(out.files.version);
  const std::vector<verify::ProbeEnd> ends =
      verify::run_probes({verify::host_probe()}, *facts, out.files, 1, kHostTimeout, [] {});
  if (!ends[0].broken.empty()) {
    throw Failure("cannot list MUSA's devices: the query process " + ends[0].broken);
  }
  out.host = verify::host_of(ends[0].outcomes);
  // Without a device every call fails, which says nothing about the tables.
  if (out.host.devices.empty()) {
    const std::vector<verify::Outcome>& told = ends[0].outcomes;
    throw Failure("MUSA in " + out.files.root + " reports no device" +
                  (told.empty() ? "" : ": " + told.back().found));
  }
  if (out.files.version == 0) {
    out.files.version = out.host.sdk;
    out.files.sdk = tables::written_sdk(out.files.version);
  }
  // Files may have been copied without their version.json. The device still tells.
  out.is_stand_in = out.files.is_stand_in ||
                    std::any_of(out.host.devices.begin(), out.host.devices.end(),
                                [](const verify::Host::Device& device) {
                                  return device.name.find("torchada host") != std::string::npos;
                                });
  out.files.is_stand_in = out.is_stand_in;
  facts->choose(out.files.version);
  return out;
}

int run_verify(const Invocation& invocation) {
  if (options.timeout < 1)
    throw UsageError("--timeout=" + std::to_string(options.timeout) +
                     ": expected a number of seconds, at least 1");
  if (invocation.given.count("jobs") == 0) {
    options.jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 4U));
  }
  if (options.jobs < 1 || options.jobs > kMostJobs) {
    throw UsageError("--jobs=" + std::to_string(options.jobs) + ": expected a number from 1 to " +
                     std::to_string(kMostJobs));
  }
  BackendOptions backend;
  backend.backend = "musa";
  backend.musa_root = options.musa_root;
  if (invocation.given.count("musa-root") != 0) backend.backend = "auto";
  const BackendChoice choice = choose_backend(backend, invocation);
  if (choice.backend == Backend::kNone) {
    throw Failure("no MUSA found; name its directory with --musa-root");
  }
  verify::Facts facts(installation_root());
  const verify::Subject subject = examine(choice.musart, &facts);
  const std::vector<Probe> probes = chosen_probes(subject.host);
  std::vector<verify::ProbeEnd> ends;
  {
    check::Progress progress(probes.size(), "probes");
    ends = verify::run_probes(probes, facts, subject.files, options.jobs, options.timeout,
                              [&] { progress.step(); });
  }
  const verify::Judgements judgements =
      verify::judge(facts, probes, ends, invocation.given.count("only") != 0);
  const std::string report = verify::write_report(subject, judgements);
  if (!options.report.empty()) {
    std::ofstream out(options.report, std::ios::binary);
    out << report;
    out.close();
    if (!out) throw Failure("cannot write " + options.report + ": " + std::strerror(errno));
  }
  if (subject.is_stand_in && options.format == "json") {
    spdlog::info("this report is about the CPU stand-in and says nothing about real MUSA");
  }
  return write_output(
      options.format == "json" ? report : verify::write_text(subject, judgements, options.all),
      judgements.all_hold() ? kExitOk : kExitNo);
}

}  // namespace

const Command& verify_command() {
  static const Command command = {
      "verify",
      "compare the installed MUSA with torchada's tables",
      "",
      Words::kNone,
      Kind::kText,
      {"Tests on a machine with MUSA whether torchada's tables are right: whether symbols are "
       "exported, functions take the expected arguments, enumerators have the expected effect, and "
       "struct members are at the expected offsets. Each probe calls MUSA's libraries in a "
       "separate process; a probe that crashes or hangs is a finding. A fact that no call can show "
       "is listed as not probed, with the reason.",
       "The report contains versions, device names and results, and nothing else about the "
       "machine. Please send it to the project, which imports it with torchada-gen import-report. "
       "The probes use little memory of the first device, and a few seconds at most."},
      {format_option(&options.format, {"text", "json"}),
       {"report", Kind::kFile, "FILE", "also write the report, as JSON, to this file",
        &options.report},
       {"musa-root", Kind::kFolder, "DIR", "the root of the MUSA installation to use",
        &options.musa_root},
       {"only", Kind::kText, "GLOB", "run only probes whose names match, for example 'blas.*'",
        &options.only},
       {"all", Kind::kSwitch, "", "also list facts that were confirmed or not probed",
        &options.all},
       {"timeout", Kind::kNumber, "SECONDS", "how long one probe may take", &options.timeout},
       {"jobs",
        Kind::kNumber,
        "N",
        "number of probes to run at the same time (default: one for each processor, at most four)",
        &options.jobs,
        {},
        'j'}},
      {{kExitOk, "all probed facts were confirmed"},
       {kExitNo, "a fact was contradicted, or a probe crashed or hung"},
       {kExitUsage, "bad usage"},
       {kExitFailed, "no MUSA was found, it did not answer, or the output could not be written"}},
      {{"verify --report=musa.json", "write the report to send"},
       {"verify --only='symbols.*' --all", "which functions this MUSA has"}},
      run_verify};
  return command;
}

}  // namespace torchada
