// VALIDATION.md: which facts about MUSA the hardware confirmed, and by which report.
#include <map>
#include <set>
#include <sstream>

#include "fact_list.h"
#include "reports.h"

namespace torchada {
namespace {

struct Count {
  std::size_t facts = 0, confirmed = 0;
};

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

void write_counts(std::ostream& out, const std::vector<MusaFact>& facts,
                  const std::set<std::string>& confirmed) {
  std::map<std::string, std::map<std::string, Count>> counts;  // By library and kind.
  for (const MusaFact& fact : facts) {
    Count& count = counts[fact.library.empty() ? "all" : fact.library][fact.kind];
    ++count.facts;
    count.confirmed += confirmed.count(fact.id);
  }
  out << "| library | kind | facts | confirmed |\n|---|---|---:|---:|\n";
  for (const auto& [library, kinds] : counts) {
    for (const auto& [kind, count] : kinds) {
      out << "| " << library << " | " << kind << " | " << count.facts << " | " << count.confirmed
          << " |\n";
    }
  }
}

}  // namespace

std::string validation_page(const std::string& mappings) {
  Tables tables = read_facts(mappings);
  const std::vector<MusaFact> facts = list_facts(&tables);
  const std::vector<Report> reports = read_reports(mappings);
  const std::set<std::string> confirmed = confirmed_by(reports);
  std::ostringstream out;
  out << "# What the hardware confirmed\n\n"
         "Written by `torchada-gen validation`; do not edit. `torchada verify` writes a report on "
         "a\n"
         "machine with MUSA, and `torchada-gen import-report` imports it. The CPU stand-in "
         "confirms\n"
         "nothing.\n\n"
      << "**" << confirmed.size() << " of " << facts.size()
      << " facts about MUSA are confirmed on hardware.**\n\n";
  if (reports.empty()) {
    out << "No report has been imported yet.\n\n";
  } else {
    out << "| report | SDK | chip | device | date | confirmed | contradicted | assumed but not "
           "exported |\n|---|---|---|---|---|---:|---:|---:|\n";
    for (const Report& report : reports) {
      out << "| " << report.name << " | " << report.sdk_text << " | " << joined(report.chips)
          << " | " << joined(report.devices) << " | " << report.date << " | "
          << report.confirmed.size() << " | " << report.contradicted.size() << " | "
          << report.absent.size() << " |\n";
    }
    out << "\n";
  }
  write_counts(out, facts, confirmed);
  for (const Report& report : reports) {
    if (report.contradicted.empty()) continue;
    out << "\n## Contradicted by " << report.name
        << "\n\n| fact | expected | found |\n|---|---|---|\n";
    for (const ReportLine& line : report.contradicted) {
      out << "| `" << line.id << "` | " << line.expected << " | " << line.found << " |\n";
    }
  }
  return out.str();
}

}  // namespace torchada
