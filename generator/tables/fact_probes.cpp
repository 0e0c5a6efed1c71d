#include "generator/tables/fact_probes.h"

#include <fstream>

#include "src/shared/yaml_source.h"

namespace torchada {

FactProbes read_fact_probes(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw TableError({file, 0}, "file not found");
  FactProbes out;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line == "fact,probe,none_for") continue;
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      throw TableError({file, number}, "expected FACT,PROBE,NONE_FOR");
    }
    const FactProbe probe{line.substr(first + 1, second - first - 1), line.substr(second + 1)};
    if (probe.probe.empty() == probe.none_for.empty()) {
      throw TableError({file, number}, "expected either a probe or why there is none");
    }
    if (!out.emplace(line.substr(0, first), probe).second) {
      throw TableError({file, number}, "'" + line.substr(0, first) + "' appears twice");
    }
  }
  return out;
}

ProbeFacts read_probe_facts(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw TableError({file, 0}, "file not found");
  ProbeFacts out;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line == "probe,fact") continue;
    const std::size_t comma = line.find(',');
    if (comma == 0 || comma == std::string::npos || comma + 1 == line.size()) {
      throw TableError({file, number}, "expected PROBE,FACT");
    }
    out[line.substr(0, comma)].push_back(line.substr(comma + 1));
  }
  return out;
}

}  // namespace torchada
