// How much rests on a fact about MUSA: how many programs use the functions that need it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generator/decide/calls.h"
#include "generator/tables/fact_list.h"
#include "generator/tables/tables.h"

namespace torchada {

class FactUse {
 public:
  explicit FactUse(const Tables& tables);

  // The number of programs (mappings/clients.csv) that use the most used function of CUDA which
  // reaches MUSA through this fact: a MUSA function's name or arguments, a type that these
  // arguments lead to, or a file that has such functions.
  int programs(const MusaFact& fact) const;

  // Whether the fact is the size of a struct that MUSA fills for its caller: if it is wrong, MUSA
  // writes over other memory.
  bool is_filled(const MusaFact& fact) const;

 private:
  using Function = std::pair<std::string, std::string>;  // Library and name.

  void reach(const Output& output, const std::string& export_name, int programs,
             std::set<std::string>* seen);
  void use_function(const Call& call, int programs);
  void use_type(const std::string& spelled, int programs);

  const Tables& tables_;
  std::map<Function, int> functions_;
  std::map<std::string, int> types_, libraries_;
  std::set<std::string> filled_;
};

struct ProbeUse {
  std::string probe;
  int filled = 0;    // Programs that rest on the sizes of filled structs which the probe decides.
  int programs = 0;  // Programs that rest on anything that it decides.
};

// The probes of mappings/musa/probe_facts.csv, those first on whose facts most programs rest: first
// the sizes of structs that MUSA fills, then everything.
std::vector<ProbeUse> probes_by_use(const Tables& tables, const std::vector<MusaFact>& facts);

}  // namespace torchada
