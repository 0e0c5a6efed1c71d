// Reports of torchada verify: importing one, and what all imported reports confirm.
//
// mappings/musa/reports/NAME.yaml holds what one report confirmed and contradicted. Reading the
// tables raises confirmed facts to tier hardware, or to tier sdk if the report names no device:
// then only the files of an SDK were read. A confirmation belongs to a claim: if the table later
// claims something else, the confirmation is an error until its line is removed from the report.
#pragma once

#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

struct ReportLine {
  std::string id, claim, expected, found;
  Place place;
};

struct Report {
  std::string name;  // Name of its file, without ".yaml".
  std::string sha256, torchada, date, sdk_text;
  int sdk = 0;
  // "mp_31"; names as the driver gives them. Both empty if only files were read.
  std::vector<std::string> chips, devices;
  std::vector<ReportLine> confirmed, contradicted, absent;
};

// All reports below `mappings`/musa/reports, by name. Throws TableError.
std::vector<Report> read_reports(const std::string& mappings);

// Whose confirmations count.
enum class Confirmed { kByAny, kOnHardware };

// Ids of the facts that at least one report confirms and none contradicts.
std::set<std::string> confirmed_by(const std::vector<Report>& reports, Confirmed which);

// Raises the tier of what the reports confirm. Throws TableError if a fact is missing or claims
// something else.
void apply_reports(const std::vector<Report>& reports, Tables* tables);

// Imports a report of torchada verify: prints what is confirmed and what is not, and writes the
// file in `mappings` unless `dry_run`. True if nothing was contradicted and every line was
// accepted. Throws TableError for a damaged report or one of the CPU stand-in.
bool import_report(const std::string& file, const std::string& mappings, bool dry_run,
                   std::ostream& out);

// VALIDATION.md
std::string validation_page(const std::string& mappings);

}  // namespace torchada
