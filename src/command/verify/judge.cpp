#include "src/command/verify/judge.h"

#include <algorithm>
#include <set>

namespace torchada::verify {
namespace {

int weight(Verdict verdict) {
  switch (verdict) {
    case Verdict::kContradicted:
      return 3;
    case Verdict::kConfirmed:
      return 2;
    case Verdict::kAbsent:
      return 1;
    case Verdict::kNotProbed:
      break;
  }
  return 0;
}

// Why no probe decided a fact.
std::string reason_of(const Fact& fact, const std::set<std::string>& missing,
                      const std::string& why_not) {
  if (!why_not.empty()) return why_not;
  if (fact.claim == "unknown") return "the tables make no claim about it";
  if (fact.kind == "prototype" && missing.count(fact.name) != 0)
    return "this MUSA does not export it";
  if (fact.kind == "type") return "no call shows what a handle points to";
  if (fact.kind == "value") return "no probe shows what this number does";
  if (fact.kind == "size" || fact.kind == "field") return "no probe shows this layout";
  if (fact.kind == "environment") return "no probe sets the variable";
  const std::string_view name = fact.name;
  if (name.find("Kernel") != std::string_view::npos ||
      name.find("Func") != std::string_view::npos ||
      name.find("Library") != std::string_view::npos ||
      name.find("Symbol") != std::string_view::npos ||
      name.find("Occupancy") != std::string_view::npos) {
    return "needs device code";
  }
  if (name.find("External") != std::string_view::npos ||
      name.find("Graphics") != std::string_view::npos) {
    return "needs memory from another interface";
  }
  if (name.ends_with("_ptsz") || name.ends_with("_ptds")) {
    return "same function with the per-thread stream; it has no separate probe";
  }
  return "no probe calls it";
}

}  // namespace

bool Judgements::all_hold() const {
  const auto found = counts.find(Verdict::kContradicted);
  return broken.empty() && (found == counts.end() || found->second == 0);
}

Judgements judge(const Facts& facts, const std::vector<Probe>& probes,
                 const std::vector<ProbeEnd>& ends, const std::string& why_not) {
  Judgements out;
  // In the order of the probes, because the first ones take the least for granted.
  std::set<std::string> contradicted;
  std::map<std::string, Outcome> best;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i].broken.empty()) out.broken.push_back({probes[i].name, ends[i].broken});
    for (Outcome outcome : ends[i].outcomes) {
      if (outcome.verdict == Verdict::kContradicted) {
        const auto wrong =
            std::find_if(outcome.rests_on.begin(), outcome.rests_on.end(),
                         [&](const std::string& id) { return contradicted.count(id) != 0; });
        if (wrong == outcome.rests_on.end()) {
          contradicted.insert(outcome.id);
        } else if (contradicted.count(outcome.id) == 0) {
          outcome.verdict = Verdict::kNotProbed;
          outcome.found = "this probe relies on a contradicted fact: " + *wrong;
        }
      }
      const auto [place, is_new] = best.emplace(outcome.id, outcome);
      if (!is_new && weight(outcome.verdict) > weight(place->second.verdict)) {
        place->second = outcome;
      }
    }
  }
  std::set<std::string> missing;
  for (const Fact* fact : facts.all()) {
    const auto found = best.find(fact->id);
    if (fact->kind == "symbol" && found != best.end() &&
        found->second.verdict != Verdict::kConfirmed) {
      missing.insert(fact->name);
    }
  }
  for (const Fact* fact : facts.all()) {
    const auto found = best.find(fact->id);
    Judgement item = {fact, {}};
    if (found != best.end()) {
      item.outcome = found->second;
    } else {
      item.outcome.id = fact->id;
      item.outcome.found = reason_of(*fact, missing, why_not);
    }
    ++out.counts[item.outcome.verdict];
    out.facts.push_back(item);
  }
  return out;
}

}  // namespace torchada::verify
