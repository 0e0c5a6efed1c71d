// mappings/musa/probes.csv: which probe of torchada verify decides a fact. tests/verify writes it,
// by running the probes, for the facts that exports lack.
#pragma once

#include <map>
#include <string>

namespace torchada {

struct FactProbe {
  std::string probe;     // Empty if none decides it.
  std::string none_for;  // Why none does.
};
using FactProbes = std::map<std::string, FactProbe>;  // By name of the fact.

// Throws TableError for a malformed line or a fact that appears twice.
FactProbes read_fact_probes(const std::string& file);

}  // namespace torchada
