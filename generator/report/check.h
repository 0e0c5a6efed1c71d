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
};

CheckResult check_tables(const Tables& tables);

// A table of the counts, one line per output.
std::string format_counts(const Tables& tables, const CheckResult& result);

}  // namespace torchada
