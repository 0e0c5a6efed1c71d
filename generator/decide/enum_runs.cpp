#include "generator/decide/enum_runs.h"

#include <algorithm>

namespace torchada {
namespace {

// Whether `item` continues a run. A run of one number has no slope yet.
bool continues(const EnumRun& run, std::int64_t last_to, const EnumCase& item, std::int64_t slope) {
  return item.from == run.last + 1 && item.to == last_to + slope;
}

}  // namespace

std::vector<EnumRun> runs_of(const std::vector<EnumCase>& cases) {
  std::vector<EnumCase> sorted = cases;
  std::sort(sorted.begin(), sorted.end(),
            [](const EnumCase& a, const EnumCase& b) { return a.from < b.from; });
  std::vector<EnumRun> out;
  for (std::size_t i = 0; i < sorted.size();) {
    EnumRun run;
    std::size_t end = i + 1;
    for (const std::int64_t slope : {1, 0, -1}) {
      EnumRun attempt{sorted[i].from, sorted[i].from, slope, sorted[i].to - slope * sorted[i].from,
                      ""};
      std::size_t next = i + 1;
      for (; next < sorted.size(); ++next) {
        if (!continues(attempt, sorted[next - 1].to, sorted[next], slope)) break;
        attempt.last = sorted[next].from;
      }
      if (next <= end && slope != 1) continue;
      run = attempt;
      end = next;
    }
    run.names = sorted[i].name;
    if (end - i > 1) run.names += " to " + sorted[end - 1].name;
    out.push_back(run);
    i = end;
  }
  return out;
}

std::string run_condition(const EnumRun& run, const std::string& variable) {
  if (run.first == run.last) return variable + " == " + std::to_string(run.first);
  if (run.first == 0) {
    return "static_cast<unsigned>(" + variable + ") <= " + std::to_string(run.last) + "u";
  }
  return variable + " >= " + std::to_string(run.first) + " && " + variable +
         " <= " + std::to_string(run.last);
}

std::string run_result(const EnumRun& run, const std::string& variable) {
  if (run.slope == 0 || run.first == run.last) {
    return std::to_string(run.offset + run.slope * run.first);
  }
  if (run.slope < 0) return std::to_string(run.offset) + " - " + variable;
  if (run.offset == 0) return variable;
  return variable + (run.offset < 0 ? " - " : " + ") +
         std::to_string(run.offset < 0 ? -run.offset : run.offset);
}

}  // namespace torchada
