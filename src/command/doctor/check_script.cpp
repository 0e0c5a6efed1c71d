// What a script and the modules that it imports ask of CUDA, or a program and the libraries that it
// needs. doctor examines libraries and machines; what programs call is the matter of `torchada
// check`, whose verdict is passed on. What fails at its first call would get an all-clear.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/command/doctor/checks.h"
#include "src/command/doctor/child.h"
#include "src/command/installation.h"
#include "src/command/text_layout.h"

namespace torchada::doctor {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& record, const char* key) {
  const auto found = record.find(key);
  return found != record.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> texts_of(const Json& record, const char* key) {
  std::vector<std::string> out;
  const auto found = record.find(key);
  if (found == record.end() || !found->is_array()) return out;
  for (const Json& item : *found) {
    if (item.is_string()) out.push_back(item);
  }
  return out;
}

// CUDA functions of a report, apart by whether a call of them fails.
struct Functions {
  std::vector<std::string> failing, served;
};

Functions functions_of(const Json& report) {
  Functions out;
  for (const Json& library : report.value("libraries", Json::array())) {
    for (const Json& symbol : library.value("symbols", Json::array())) {
      const std::string standing = text_of(symbol, "standing");
      const bool fails = standing == "unsupported" || standing == "missing";
      (fails ? out.failing : out.served).push_back(text_of(symbol, "name"));
    }
  }
  return out;
}

// What was not examined: of the script itself, and of what it loads.
std::vector<std::string> unexamined_in(const Json& report) {
  std::vector<std::string> out = texts_of(report, "not_examined");
  for (const Json& load : report.value("loads", Json::array())) {
    if (text_of(load, "verdict") == "unexamined") out.push_back(text_of(load, "reason"));
  }
  return out;
}

Evidence evidence_of(const std::string& path, const Json& report, const Functions& functions) {
  std::vector<std::string> reasons = texts_of(report, "reasons");
  if (!functions.failing.empty()) reasons.push_back("calls " + joined(functions.failing));
  return {path, joined(reasons, "; ")};
}

// A recipe of torchada's, if there is one for what the script imports.
std::string remedy_for_kernels(const Json& report) {
  for (const std::string& remedy : texts_of(report, "remedies")) {
    if (remedy.find("--kernels-from=") != std::string::npos) return remedy;
  }
  return "if you have their source: torchada kernels build SOURCE... -o IMAGE, then torchada run "
         "--kernels=IMAGE";
}

void judge(const Subject& subject, const Json& report, Report* out) {
  const std::string remedy =
      "torchada check --python=" + subject.started + " " + subject.script + " lists what it needs";
  const std::string verdict = text_of(report, "verdict");
  const Functions functions = functions_of(report);
  const Evidence evidence = evidence_of(subject.script, report, functions);
  const bool works = report.value("works", false);
  const bool nothing_works = !works && !functions.failing.empty() && functions.served.empty();
  if (report.value("stops", false)) {
    out->add(
        {"script-cannot-run",
         Severity::kError,
         "the script cannot start: it needs a library or function that torchada does not provide",
         {evidence},
         remedy});
  } else if (verdict == "cannot" || nothing_works) {
    out->add({"script-cannot-run",
              Severity::kError,
              "the script's CUDA calls fail: they need what torchada does not provide",
              {evidence},
              remedy});
  } else if (verdict == "unreadable") {
    out->add({"script-not-examined",
              Severity::kWarning,
              "the script could not be examined",
              {evidence},
              "check its path and permissions"});
  } else if (verdict == "kernels") {
    out->add({"script-kernels",
              Severity::kWarning,
              "the script runs until it launches its own kernels, which are built for NVIDIA GPUs",
              {evidence},
              remedy_for_kernels(report) + "; " + remedy});
  } else if (verdict == "partly") {
    out->add({"script-in-part",
              Severity::kWarning,
              "the script and what it imports use parts of CUDA that fail",
              {evidence},
              remedy});
  } else if (const std::vector<std::string> open = unexamined_in(report); !open.empty()) {
    out->add({"script-not-examined",
              Severity::kWarning,
              "the script was not examined in full: it may need what torchada does not provide",
              {{subject.script, joined(open, "; ")}},
              remedy});
  }
}

// The verdict on a program that is no script. Which libraries it lacks is told elsewhere.
void judge_program(const Subject& subject, const Json& report, Report* out) {
  const std::string verdict = text_of(report, "verdict");
  const Evidence evidence = evidence_of(subject.started, report, functions_of(report));
  const std::string remedy = "torchada check " + subject.started + " lists what it needs";
  if (verdict == "kernels") {
    out->add({"program-kernels",
              Severity::kWarning,
              "the program runs until it launches its own kernels, which are built for NVIDIA GPUs",
              {evidence},
              remedy_for_kernels(report) + "; " + remedy});
  } else if (verdict == "partly") {
    out->add({"program-in-part",
              Severity::kWarning,
              "the program and its libraries use parts of CUDA that fail",
              {evidence},
              remedy});
  }
}

Json checked(const Subject& subject, const std::vector<std::string>& words, Output* answer) {
  std::vector<std::string> command = {installation_root() + "/bin/torchada", "check",
                                      "--format=json", "--all"};
  command.insert(command.end(), words.begin(), words.end());
  *answer = output_of(command, {}, subject.timeout);
  const Json json = Json::parse(answer->out, nullptr, false);
  // One report for one file, with all that it loads.
  return json.is_object() ? json.value("reports", Json::array()) : Json::array();
}

}  // namespace

void check_script(Subject* subject, Report* report) {
  Output answer;
  if (subject->script.empty()) {
    if (!subject->has_program || report->has_errors()) return;
    const Json reports = checked(*subject, {subject->started}, &answer);
    if (answer.ended && reports.size() == 1) judge_program(*subject, reports.front(), report);
    return;
  }
  if (!subject->files.has(subject->script)) return;
  const Json reports =
      checked(*subject, {"--python=" + subject->started, subject->script}, &answer);
  if (!answer.ended || reports.size() != 1) {
    report->add(
        {"script-not-examined",
         Severity::kWarning,
         "the script could not be examined",
         {{subject->script, answer.ended ? answer.err : "torchada check did not end in time"}},
         "run torchada check " + subject->script});
    return;
  }
  for (const Json& load : reports.front().value("loads", Json::array())) {
    const std::string name = text_of(load, "name");
    subject->imported.push_back(name.substr(0, name.find('.')));
  }
  judge(*subject, reports.front(), report);
}

}  // namespace torchada::doctor
