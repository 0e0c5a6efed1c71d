// Combines the probes' results into one verdict for each fact.
#pragma once

#include <map>
#include <vector>

#include "src/command/verify/facts.h"
#include "src/command/verify/pool.h"

namespace torchada::verify {

struct Judgement {
  const Fact* fact = nullptr;
  Outcome outcome;
};

struct BrokenProbe {
  std::string name, how;
};

struct Judgements {
  std::vector<Judgement> facts;  // In the order of the tables.
  std::vector<BrokenProbe> broken;
  std::map<Verdict, std::size_t> counts;

  bool all_hold() const;  // No contradiction, and no probe broke.
};

// A contradiction outweighs a confirmation, and both outweigh no answer. A contradiction that rests
// on a fact already contradicted by an earlier probe decides nothing. `why_not` says why a fact has
// no answer if not all probes were to run; otherwise it is empty.
Judgements judge(const Facts& facts, const std::vector<Probe>& probes,
                 const std::vector<ProbeEnd>& ends, const std::string& why_not);

}  // namespace torchada::verify
