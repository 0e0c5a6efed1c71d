#include <nlohmann/json.hpp>

#include "src/command/doctor/findings.h"
#include "src/command/output.h"
#include "src/shared/printable_string.h"

namespace torchada::doctor {
namespace {

using Json = nlohmann::ordered_json;

const char* word(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "note";
}

Colour colour(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return Colour::kRed;
    case Severity::kWarning:
      return Colour::kYellow;
    case Severity::kNote:
      break;
  }
  return Colour::kBold;
}

}  // namespace

std::string write_text(const Report& report) {
  std::string out;
  for (const Finding& finding : report.sorted()) {
    out += coloured(word(finding.severity), colour(finding.severity)) + ": " +
           printable(finding.message) + " [" + finding.id + "]\n";
    for (const Evidence& item : finding.evidence) {
      out += "  " + printable(item.what) + ": " + printable(item.value) + "\n";
    }
    if (!finding.remedy.empty()) out += "  remedy: " + printable(finding.remedy) + "\n";
  }
  if (out.empty()) out = coloured("no problems found", Colour::kGreen) + "\n";
  if (!report.facts().empty()) out += "\n";
  for (const Fact& fact : report.facts()) {
    const std::size_t space = fact.what.size() < 23 ? 24 - fact.what.size() : 1;
    out += printable(fact.what) + std::string(space, ' ') + printable(fact.value) + "\n";
  }
  return out;
}

std::string write_json(const Report& report) {
  Json out;
  out["stops"] = report.has_errors();
  out["findings"] = Json::array();
  for (const Finding& finding : report.sorted()) {
    Json evidence = Json::array();
    for (const Evidence& item : finding.evidence) {
      evidence.push_back({{"what", item.what}, {"value", item.value}});
    }
    out["findings"].push_back({{"id", finding.id},
                               {"severity", word(finding.severity)},
                               {"message", finding.message},
                               {"evidence", evidence},
                               {"remedy", finding.remedy}});
  }
  out["facts"] = Json::array();
  for (const Fact& fact : report.facts()) {
    out["facts"].push_back({{"what", fact.what}, {"value", fact.value}});
  }
  return json_text(out);
}

}  // namespace torchada::doctor
