// mappings/musa/probes.csv: which probe of torchada verify decides a fact. tests/verify writes it,
// by running the probes, for the facts that exports lack.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace torchada {

struct FactProbe {
  std::string probe;     // Empty if none decides it.
  std::string none_for;  // Why none does.
};
using FactProbes = std::map<std::string, FactProbe>;  // By name of the fact.

// Throws TableError for a malformed line or a fact that appears twice.
FactProbes read_fact_probes(const std::string& file);

// mappings/musa/probe_facts.csv: the facts that each probe decides, by probed_name (fact_list.h).
// tests/verify writes it, too.
using ProbeFacts = std::map<std::string, std::vector<std::string>>;

// Throws TableError for a malformed line.
ProbeFacts read_probe_facts(const std::string& file);

}  // namespace torchada
