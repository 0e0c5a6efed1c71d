#include "generator/tables/reports.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "generator/tables/fact_list.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

std::vector<ReportLine> read_lines(const YamlNode& root, const char* key) {
  std::vector<ReportLine> out;
  if (!root.has(key)) return out;
  for (const YamlNode& item : root.required(key).items()) {
    item.only({"id", "claim", "expected", "found"});
    out.push_back({item.required("id").text(), item.required("claim").text(),
                   item.text_or("expected", ""), item.text_or("found", ""), item.place()});
  }
  return out;
}

Report read_report(const std::string& file) {
  const YamlNode root = load_yaml(file);
  root.only({"report", "sha256", "torchada", "date", "sdk", "chips", "devices", "confirmed",
             "contradicted", "absent"});
  Report out;
  out.name = fs::path(file).stem();
  out.sha256 = root.required("sha256").text();
  out.torchada = root.required("torchada").text();
  out.date = root.required("date").text();
  out.sdk_text = root.required("sdk").text();
  out.sdk = read_sdk_version(root.required("sdk"));
  out.chips = root.required("chips").texts();
  out.devices = root.required("devices").texts();
  out.confirmed = read_lines(root, "confirmed");
  out.contradicted = read_lines(root, "contradicted");
  out.absent = read_lines(root, "absent");
  return out;
}

bool is_of_layout(const MusaFact& fact) { return fact.kind == "size" || fact.kind == "field"; }

}  // namespace

std::vector<Report> read_reports(const std::string& mappings) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(mappings) / "musa" / "reports", error)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Report> out;
  for (const std::string& file : files) out.push_back(read_report(file));
  return out;
}

std::set<std::string> confirmed_by(const std::vector<Report>& reports, Confirmed which) {
  std::set<std::string> out;
  for (const Report& report : reports) {
    if (which == Confirmed::kOnHardware && report.chips.empty()) continue;
    for (const ReportLine& line : report.confirmed) out.insert(line.id);
  }
  for (const Report& report : reports) {
    for (const ReportLine& line : report.contradicted) out.erase(line.id);
  }
  return out;
}

void apply_reports(const std::vector<Report>& reports, Tables* tables) {
  if (reports.empty()) return;
  std::vector<MusaFact> facts = list_facts(tables);
  std::map<std::string, MusaFact*> by_id;
  for (MusaFact& fact : facts) by_id[fact.id] = &fact;
  const std::set<std::string> confirmed = confirmed_by(reports, Confirmed::kByAny);
  const std::set<std::string> on_hardware = confirmed_by(reports, Confirmed::kOnHardware);
  for (const Report& report : reports) {
    for (const ReportLine& line : report.confirmed) {
      const auto found = by_id.find(line.id);
      if (found == by_id.end()) {
        throw TableError(line.place, "the tables have no fact '" + line.id + "'; remove this line");
      }
      if (found->second->claim != line.claim) {
        throw TableError(line.place, "'" + line.id + "' was confirmed as '" + line.claim +
                                         "', but the tables say '" + found->second->claim + "'");
      }
      if (!found->second->sdk.contains(report.sdk)) {
        throw TableError(line.place, "'" + line.id + "' is not about SDK " + report.sdk_text);
      }
      found->second->cite("mappings/musa/reports/" + report.name + ".yaml");
    }
  }
  // The members of a type share its tier, which becomes hardware once all of them are confirmed.
  std::map<const MusaType*, bool> whole;
  for (const MusaFact& fact : facts) {
    const bool holds = on_hardware.count(fact.id) != 0;
    if (fact.type && (!fact.value || fact.value->known)) {
      const auto [place, is_new] = whole.emplace(fact.type, holds);
      place->second = place->second && holds;
    }
    // Tier kAbsent says that the name is not exported; it stays.
    if (is_of_layout(fact) || *fact.tier == Tier::kAbsent) continue;
    if (holds) {
      *fact.tier = Tier::kHardware;
    } else if (confirmed.count(fact.id) != 0) {
      *fact.tier = std::min(*fact.tier, Tier::kSdk);  // The strongest comes first.
    }
  }
  for (const MusaFact& fact : facts) {
    if (fact.type_tier && whole[fact.type]) *fact.type_tier = Tier::kHardware;
  }
}

}  // namespace torchada
