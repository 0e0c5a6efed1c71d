// torchada verify
#include "src/command/command.h"

#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>

#include "src/command/backend_choice.h"
#include "src/command/check/progress.h"
#include "src/command/common_options.h"
#include "src/command/installation.h"
#include "src/command/messages.h"
#include "src/command/output.h"
#include "src/command/verify/report.h"
#include "src/inspect/mapped_file.h"
#include "src/shared/processor_count.h"

namespace torchada {
namespace {

using verify::Probe;

constexpr char kStandIn[] = "torchada host";  // Part of the name of its device.
constexpr int kMostJobs = 64;
constexpr int kHostTimeout = 60;  // A driver may take long to start.
constexpr int kSteps = 2;         // Asking for devices, and the probes.
// Of a time limit: for probes that do not let themselves be ended, and for the report.
constexpr std::chrono::milliseconds kReserve{3000};

struct Options {
  std::string format, report, musa_root, only = "*", device = "required";
  bool all = false;
  int jobs = 0;
  int timeout = 10;
  int limit = 0;
};
Options options;

// Those that --only names.
std::vector<Probe> named_probes(const std::vector<Probe>& all) {
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

std::vector<Probe> chosen_probes(const verify::Subject& subject) {
  if (!subject.no_device.empty()) return named_probes(verify::reading_probes());
  std::vector<Probe> all;
  const auto add = [&](const std::vector<Probe>& probes) {
    all.insert(all.end(), probes.begin(), probes.end());
  };
  add(verify::file_probes(subject.host));
  add(verify::runtime_memory_probes());
  add(verify::runtime_stream_probes());
  add(verify::runtime_probes());
  add(verify::graph_probes());
  add(verify::layout_probes());
  add(verify::blas_enum_probes());
  add(verify::blas_probes());
  add(verify::blas_lt_probes());
  add(verify::random_probes());
  add(verify::collective_probes());
  add(verify::compiling_probes());
  add(verify::driver_probes());
  add(verify::driver_memory_probes());
  add(verify::driver_sharing_probes());
  add(verify::driver_work_probes());
  add(verify::management_probes());
  add(verify::quirk_probes());
  add(verify::behaviour_probes());
  return named_probes(all);
}

// No probe runs after this, if the command may take `seconds` (0: any time).
verify::Limits::Time end_of(std::chrono::steady_clock::time_point start, int seconds) {
  if (seconds == 0) return verify::Limits::Time::max();
  const std::chrono::milliseconds all = std::chrono::seconds(seconds);
  return start + all - std::min(kReserve, all / 4);
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

bool has_name_of_stand_in(const MusaFiles& files) {
  const auto driver = files.libraries.find("musa");
  if (driver == files.libraries.end() || !driver->second.error.empty()) return false;
  const MappedFile file(driver->second.path);
  return file.bytes().find(kStandIn) != std::string_view::npos;
}

// The devices and versions that MUSA reports. Without a device, why there is none.
std::string ask_host(const verify::Facts& facts, verify::Limits::Time end,
                     verify::Subject* subject) {
  check::Progress progress(1, "steps",
                           "step 1 of " + std::to_string(kSteps) + ": asking MUSA for its devices");
  const std::vector<verify::ProbeEnd> ends = verify::run_probes(
      {verify::host_probe()}, facts, subject->files, {1, kHostTimeout, end}, [] {});
  if (ends[0].is_left_out) return "MUSA did not list its devices within the time limit";
  if (!ends[0].broken.empty()) {
    return "cannot list MUSA's devices: the query process " + ends[0].broken;
  }
  subject->host = verify::host_of(ends[0].outcomes);
  if (!subject->host.devices.empty()) return "";
  const std::vector<verify::Outcome>& told = ends[0].outcomes;
  return "MUSA in " + subject->files.root + " reports no device" +
         (told.empty() ? "" : ": " + told.back().found);
}

// Finds the facts about this host, including the SDK that selects the tables' facts.
verify::Subject examine(const std::string& musart, verify::Limits::Time end, verify::Facts* facts) {
  verify::Subject out;
  out.files = read_musa_files(musart);
  out.date = now();
  // Too early to know the SDK; but the calls of the first probe are the same in all SDKs.
  facts->choose(out.files.version);
  out.no_device = options.device == "none" ? "--device=none" : ask_host(*facts, end, &out);
  // Without a device every call fails, which says nothing about the tables.
  if (!out.no_device.empty() && options.device == "required") {
    throw Failure(out.no_device + "; --device=auto checks the SDK's files alone");
  }
  if (!out.no_device.empty()) {
    const MusaFile& runtime = out.files.libraries.at("musart");
    if (!runtime.error.empty()) throw Failure(runtime.error);
    if (out.files.version == 0) {
      throw Failure(
          out.files.root +
          ": cannot tell the version of this SDK without a device: it has no version.json, "
          "and its directory is not named musa-VERSION");
    }
  }
  if (out.files.version == 0) out.files.version = out.host.sdk;
  out.files.sdk = tables::written_sdk(out.files.version);  // A directory may be named musa-5.1.
  // Files may have been copied without their version.json. The device still tells, or the driver's
  // file, where that name is.
  out.is_stand_in = out.files.is_stand_in || has_name_of_stand_in(out.files) ||
                    std::any_of(out.host.devices.begin(), out.host.devices.end(),
                                [](const verify::Host::Device& device) {
                                  return device.name.find(kStandIn) != std::string::npos;
                                });
  out.files.is_stand_in = out.is_stand_in;
  facts->choose(out.files.version);
  return out;
}

// The installation that the libraries would use. If there is none, the newest in a directory such
// as /usr/local/musa-5.2: the packages of an SDK may come without the link /usr/local/musa.
std::string find_root(const Invocation& invocation) {
  BackendOptions backend;
  backend.backend = invocation.given.count("musa-root") != 0 ? "auto" : "musa";
  backend.musa_root = options.musa_root;
  const BackendChoice choice = choose_backend(backend, invocation);
  if (choice.backend != Backend::kNone) return choice.musart;
  const std::string musart = find_versioned_musa();
  if (musart.empty()) {
    throw Failure("no MUSA found; name its directory with --musa-root, or in MUSA_HOME");
  }
  log_info("using the MUSA in {}; --musa-root names another", root_of(musart));
  return musart;
}

// Why facts have no answer if not all probes ran.
std::string why_not_all(const Invocation& invocation, const verify::Subject& subject) {
  if (invocation.given.count("only") != 0) return "not selected by --only";
  if (!subject.no_device.empty()) return "only the SDK's files were checked";
  if (subject.left_out != 0) return "the time limit left out probes";
  return "";
}

int run_verify(const Invocation& invocation) {
  const auto start = std::chrono::steady_clock::now();
  if (options.limit < 0)
    throw UsageError("--limit=" + std::to_string(options.limit) +
                     ": expected a number of seconds, or 0 for no limit");
  if (options.timeout < 1)
    throw UsageError("--timeout=" + std::to_string(options.timeout) +
                     ": expected a number of seconds, at least 1");
  if (invocation.given.count("jobs") == 0) {
    options.jobs = static_cast<int>(std::min(processor_count(), 4U));
  }
  if (options.jobs < 1 || options.jobs > kMostJobs) {
    throw UsageError("--jobs=" + std::to_string(options.jobs) + ": expected a number from 1 to " +
                     std::to_string(kMostJobs));
  }
  const std::string musart = find_root(invocation);
  verify::Facts facts(installation_root());
  const verify::Limits limits = {options.jobs, options.timeout, end_of(start, options.limit)};
  verify::Subject subject = examine(musart, limits.end, &facts);
  const std::vector<Probe> probes = chosen_probes(subject);
  std::vector<verify::ProbeEnd> ends;
  {
    check::Progress progress(probes.size(), "probes",
                             "step " + std::to_string(kSteps) + " of " + std::to_string(kSteps));
    ends = verify::run_probes(probes, facts, subject.files, limits, [&] { progress.step(); });
  }
  for (const std::size_t index : verify::order_by_use(probes, facts)) {
    const std::string& name = probes[index].name;
    verify::Subject::Turn& turn = subject.order.emplace_back();
    turn.probe = name;
    turn.ran = !ends[index].is_left_out;
    for (const verify::ProbeUse& use : facts.probes()) {
      if (use.probe != name) continue;
      turn.filled = use.filled;
      turn.programs = use.programs;
    }
    subject.left_out += ends[index].is_left_out ? 1 : 0;
  }
  const verify::Judgements judgements =
      verify::judge(facts, probes, ends, why_not_all(invocation, subject));
  const std::string report = verify::write_report(subject, judgements);
  if (!options.report.empty()) {
    std::ofstream out(options.report, std::ios::binary);
    out << report;
    out.close();
    if (!out) throw Failure("cannot write " + options.report + ": " + std::strerror(errno));
  }
  if (subject.is_stand_in && options.format == "json") {
    log_info("this report is about the CPU stand-in and says nothing about real MUSA");
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
       "The probes use little memory of the first device, and a few seconds at most. They run in "
       "an "
       "order that follows from the tables: first those that decide how long a struct is which "
       "MUSA "
       "fills, because a wrong size means that other memory is overwritten, and of these and of "
       "the "
       "others those first on whose facts most programs rest.",
       "Without a device, --device=auto reads the SDK's files: which symbols its libraries export, "
       "and under which names the libraries lie. Nothing of MUSA is loaded for that, except to ask "
       "for devices; --device=none does not ask."},
      {format_option(&options.format, {"text", "json"}),
       {"report", Kind::kFile, "FILE", "also write the report, as JSON, to this file",
        &options.report},
       {"musa-root", Kind::kFolder, "DIR", "the root of the MUSA installation to use",
        &options.musa_root},
       {"device",
        Kind::kChoice,
        "",
        "required; auto: without one, check the SDK's files alone; none: check them alone",
        &options.device,
        {"required", "auto", "none"}},
       {"only", Kind::kText, "GLOB", "run only probes whose names match, for example 'blas.*'",
        &options.only},
       {"all", Kind::kSwitch, "", "also list facts that were confirmed or not probed",
        &options.all},
       {"timeout", Kind::kNumber, "SECONDS", "how long one probe may take", &options.timeout},
       {"limit", Kind::kNumber, "SECONDS",
        "end within this time, with the facts on which most programs rest first (0: no limit)",
        &options.limit},
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
       {"verify --device=none --musa-root=/usr/local/musa", "check the files of an SDK"},
       {"verify --only='symbols.*' --all", "which functions this MUSA has"}},
      run_verify};
  return command;
}

}  // namespace torchada
