#include "src/command/verify/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/command/output.h"
#include "src/command/tables.h"
#include "src/command/verify/anonymous.h"
#include "src/shared/printable_string.h"

namespace torchada::verify {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;  // Increased when an older reader would misunderstand the format.

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string version(int number) { return number == 0 ? "" : tables::written_sdk(number); }

std::string count(const Judgements& judgements, Verdict verdict) {
  const auto found = judgements.counts.find(verdict);
  return std::to_string(found == judgements.counts.end() ? 0 : found->second);
}

// Of the probes that were left out, the one on which most programs rest.
std::string described_first(const Subject& subject) {
  const auto first = std::find_if(subject.order.begin(), subject.order.end(),
                                  [](const Subject::Turn& turn) { return !turn.ran; });
  const Subject::Turn& use = *first;
  return "on the facts of the first, " + use.probe + ", rest " + std::to_string(use.programs) +
         " programs";
}

constexpr Verdict kVerdicts[] = {Verdict::kConfirmed, Verdict::kContradicted, Verdict::kAbsent,
                                 Verdict::kNotProbed};

}  // namespace

std::string write_report(const Subject& subject, const Judgements& judgements) {
  const std::string host = own_host_name();
  Json devices = Json::array();
  for (const Host::Device& device : subject.host.devices) {
    devices.push_back(
        {{"name", anonymous(device.name, host)}, {"architecture", device.architecture}});
  }
  Json counts;
  for (const Verdict verdict : kVerdicts) {
    counts[verdict_name(verdict)] = std::stoul(count(judgements, verdict));
  }
  Json broken = Json::array();
  for (const BrokenProbe& probe : judgements.broken) {
    broken.push_back({{"probe", probe.name}, {"how", anonymous(probe.how, host)}});
  }
  Json order = Json::array();
  for (const Subject::Turn& turn : subject.order) {
    order.push_back({{"probe", turn.probe},
                     {"filled", turn.filled},
                     {"programs", turn.programs},
                     {"ran", turn.ran}});
  }
  std::string out =
      "{\"format\": " + std::to_string(kFormat) + ",\n\"torchada\": " + dumped(TORCHADA_VERSION) +
      ",\n\"date\": " + dumped(subject.date) +
      ",\n\"backend\": " + dumped(subject.is_stand_in ? "stand-in" : "musa") +
      ",\n\"sdk\": " + dumped(subject.files.sdk) +
      ",\n\"runtime\": " + dumped(version(subject.host.runtime)) +
      ",\n\"driver\": " + dumped(version(subject.host.driver)) +
      ",\n\"devices\": " + dumped(devices) + ",\n\"counts\": " + dumped(counts) +
      ",\n\"broken\": " + dumped(broken) + ",\n\"order\": " + dumped(order) + ",\n\"results\": [";
  bool first = true;
  for (const Judgement& item : judgements.facts) {
    const Json record = {{"id", item.fact->id},
                         {"result", verdict_name(item.outcome.verdict)},
                         {"claim", item.fact->claim},
                         {"place", item.fact->place},
                         {"tier", item.fact->tier},
                         {"expected", anonymous(item.outcome.expected, host)},
                         {"found", anonymous(item.outcome.found, host)},
                         {"probe", item.outcome.probe}};
    out += (first ? "\n" : ",\n") + dumped(record);
    first = false;
  }
  return out + "]}\n";
}

std::string write_text(const Subject& subject, const Judgements& judgements, bool all) {
  std::string out = subject.is_stand_in
                        ? "CPU stand-in for MUSA: these results say nothing about real MUSA\n"
                        : "MUSA\n";
  out += "  SDK " + printable(subject.files.sdk);
  if (subject.no_device.empty()) {
    out += ", runtime " + version(subject.host.runtime) + ", driver " +
           version(subject.host.driver) + "\n";
  } else {
    out += "\n  only its files were checked: " + printable(subject.no_device) + "\n";
  }
  for (const Host::Device& device : subject.host.devices) {
    out += "  " + printable(device.name) + " (" + printable(device.architecture) + ")\n";
  }
  for (const Judgement& item : judgements.facts) {
    const Outcome& outcome = item.outcome;
    if (outcome.verdict == Verdict::kContradicted) {
      out += coloured("contradicted", Colour::kRed) + " " + item.fact->id + "\n    expected " +
             outcome.expected + "\n    found    " + printable(outcome.found) + "\n    stated   " +
             item.fact->place + " (tier " + item.fact->tier + "), probe " + outcome.probe + "\n";
    } else if (all) {
      out += std::string(verdict_name(outcome.verdict)) + " " + item.fact->id + ": " +
             printable(outcome.found) + "\n";
    }
  }
  for (const BrokenProbe& probe : judgements.broken) {
    out += coloured("broken", Colour::kRed) + " probe " + probe.name + ": the process " +
           probe.how + "\n";
  }
  if (subject.left_out != 0) {
    out += "the time limit left out " + std::to_string(subject.left_out) + " probes; ";
    out += described_first(subject) + "\n";
  }
  out += count(judgements, Verdict::kConfirmed) + " confirmed, " +
         count(judgements, Verdict::kContradicted) + " contradicted, " +
         count(judgements, Verdict::kAbsent) + " assumed but not exported, " +
         count(judgements, Verdict::kNotProbed) + " not probed, of " +
         std::to_string(judgements.facts.size()) + "\n";
  return out;
}

}  // namespace torchada::verify
