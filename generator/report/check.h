// Checks that the tables are complete and consistent. Every finding names file and line.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/decide/standing.h"
#include "generator/tables/tables.h"

namespace torchada {

struct CheckResult {
  std::vector<std::string> errors;  // "FILE:LINE: message", in table order.
  // Number of exports per output label and standing.
  std::map<std::string, std::map<Standing, int>> counts;
  // The same for SDK 3.1, the oldest that the tables know.
  std::map<std::string, std::map<Standing, int>> oldest_counts;
};

CheckResult check_tables(const Tables& tables);

// A table of the counts, one line per output, and one more for SDK 3.1 ("cuda-13@3.1") if MUSA's
// library is the driver's.
std::string format_counts(const Tables& tables, const CheckResult& result);

}  // namespace torchada
