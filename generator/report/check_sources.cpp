#include "generator/report/check_sources.h"

#include <algorithm>
#include <set>

#include "generator/tables/fact_list.h"
#include "generator/tables/yaml_source.h"

namespace torchada {
namespace {

// Extracted from an SDK, or confirmed by a report: the files that say so are not on the list.
bool is_measured(const MusaFact& fact) { return *fact.tier <= Tier::kSdk; }

bool is_name(const MusaFact& fact) { return fact.kind == "symbol" || fact.kind == "soname"; }

// Whether the tier claims that somebody wrote the fact down.
bool needs_source(Tier tier) { return tier <= Tier::kCbid; }

}  // namespace

std::vector<std::string> source_defects(const Tables& tables) {
  std::vector<std::string> out;
  std::set<std::string> cited;
  Tables copy = tables;  // list_facts gives access for changes.
  for (const MusaFact& fact : list_facts(&copy)) {
    Tier best = Tier::kComment;
    for (const std::string& name : fact.sources) {
      if (name.starts_with("mappings/musa/reports/")) continue;
      const CitedSource* source = tables.sources.find(name);
      cited.insert(name);
      if (source) {
        best = std::min(best, is_name(fact) ? source->names : source->rest);
      } else if (!is_measured(fact)) {
        out.push_back(TableError(fact.place, fact.id + ": '" + name +
                                                 "' is not in musa/sources.yaml; add it with the "
                                                 "commit at which you read it")
                          .what());
      }
    }
    if (is_measured(fact) || !needs_source(*fact.tier) || *fact.tier >= best) continue;
    out.push_back(TableError(fact.place, fact.id + " has tier " + tier_name(*fact.tier) +
                                             ", but its sources give " + tier_name(best) +
                                             " at most")
                      .what());
  }
  for (const auto& [name, source] : tables.sources.all()) {
    if (cited.count(name) != 0) continue;
    out.push_back(TableError(source.place, "no fact cites '" + name + "'; remove it").what());
  }
  return out;
}

}  // namespace torchada
