// VALIDATION.md: which facts about MUSA hardware has confirmed, and which report says so.
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "generator/tables/read_tables.h"
#include "generator/tables/reports.h"
#include "generator/tables/shown_ranges.h"
#include "src/shared/printable_string.h"

namespace torchada {
namespace {

struct Count {
  std::size_t facts = 0, assumed_range = 0, confirmed = 0;
};

// What a device or a report says, in a cell of a Markdown table.
std::string escaped_cell(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*[]<>|&~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + escaped_cell(item);
  return out;
}

void write_counts(std::ostream& out, const std::vector<MusaFact>& facts, const ShownRanges& ranges,
                  const std::set<std::string>& confirmed) {
  std::map<std::string, std::map<std::string, Count>> counts;  // By library and kind.
  for (const MusaFact& fact : facts) {
    Count& count = counts[fact.library.empty() ? "all" : fact.library][fact.kind];
    ++count.facts;
    count.assumed_range += !ranges.of(fact).assumed.empty();
    count.confirmed += confirmed.count(fact.id);
  }
  out << "| library | kind | facts | range assumed | confirmed |\n|---|---|---:|---:|---:|\n";
  for (const auto& [library, kinds] : counts) {
    for (const auto& [kind, count] : kinds) {
      out << "| " << library << " | " << kind << " | " << count.facts << " | "
          << count.assumed_range << " | " << count.confirmed << " |\n";
    }
  }
}

}  // namespace

std::string validation_page(const std::string& mappings) {
  Tables tables = read_facts(mappings);
  const std::vector<MusaFact> facts = list_facts(&tables);
  const std::vector<Report> reports = read_reports(mappings);
  const std::set<std::string> confirmed = confirmed_by(reports, Confirmed::kOnHardware);
  std::ostringstream out;
  out << "# What hardware has confirmed\n\n"
         "On a machine with MUSA, `torchada verify` compares the facts in the tables with what "
         "MUSA does, and\nwrites a report. `torchada-gen import-report` takes the report into the "
         "tables. The CPU stand-in\nconfirms nothing.\n\n"
         "`torchada-gen validation` writes this file; do not edit it.\n\n"
      << "**" << confirmed.size() << " of " << facts.size()
      << " facts about MUSA are confirmed on hardware.**\n\n";
  if (reports.empty()) {
    out << "No report has been imported yet.\n\n";
  } else {
    out << "| report | SDK | chip | device | date | confirmed | contradicted | assumed but not "
           "exported |\n|---|---|---|---|---|---:|---:|---:|\n";
    for (const Report& report : reports) {
      out << "| " << report.name << " | " << escaped_cell(report.sdk_text) << " | "
          << (report.chips.empty() ? "none: files of the SDK" : joined(report.chips)) << " | "
          << joined(report.devices) << " | " << escaped_cell(report.date) << " | "
          << report.confirmed.size() << " | " << report.contradicted.size() << " | "
          << report.absent.size() << " |\n";
    }
    out << "\n";
  }
  out << "*Range assumed*: the fact has a range of SDKs that begins or ends where no source shows "
         "it; "
         "for\nexample, two releases agree, and it is taken to be so in those between.\n\n";
  write_counts(out, facts, ShownRanges(tables, facts), confirmed);
  for (const Report& report : reports) {
    if (report.contradicted.empty()) continue;
    out << "\n## Contradicted by " << report.name
        << "\n\n| fact | expected | found |\n|---|---|---|\n";
    for (const ReportLine& line : report.contradicted) {
      out << "| `" << line.id << "` | " << escaped_cell(line.expected) << " | "
          << escaped_cell(line.found) << " |\n";
    }
  }
  return out.str();
}

}  // namespace torchada
