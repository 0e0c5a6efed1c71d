// Reports of torchada verify: taking one up, and what all that were taken up confirm.
//
// mappings/musa/reports/NAME.yaml holds what one report confirmed and contradicted. Reading the
// tables raises what is confirmed to tier hardware. A confirmation is of a claim: once the table
// says something else it no longer holds, and is an error until the report's line goes.
#pragma once

#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "tables.h"

namespace torchada {

struct ReportLine {
  std::string id, claim, expected, found;
  Place place;
};

struct Report {
  std::string name;  // Of its file, without ".yaml".
  std::string sha256, torchada, date, sdk_text;
  int sdk = 0;
  std::vector<std::string> chips, devices;  // "mp_31"; as the driver calls them.
  std::vector<ReportLine> confirmed, contradicted, absent;
};

// All below `mappings`/musa/reports, by name. Throws TableError.
std::vector<Report> read_reports(const std::string& mappings);

// The facts that one of them confirms and none contradicts, by id.
std::set<std::string> confirmed_by(const std::vector<Report>& reports);

// Raises what they confirm. Throws TableError where a fact is not there or says something else.
void apply_reports(const std::vector<Report>& reports, Tables* tables);

// Takes up a report as torchada verify writes it: says what is confirmed and what is not, and
// writes the file in `mappings` unless `dry_run`. True where nothing was contradicted and every
// line was taken. Throws TableError for a report that is damaged, or of the CPU stand-in.
bool import_report(const std::string& file, const std::string& mappings, bool dry_run,
                   std::ostream& out);

// VALIDATION.md
std::string validation_page(const std::string& mappings);

}  // namespace torchada
