#include "generator/report/check_sources.h"

#include <algorithm>
#include <set>
#include <utility>

#include "generator/tables/shown_ranges.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// Extracted from an SDK, or confirmed by a report: the files that say so are not on the list.
bool is_measured(const MusaFact& fact) { return *fact.tier <= Tier::kSdk; }

// The entry whose sources the fact has: argument lists and parts of types share those of the whole.
const void* entry_of(const MusaFact& fact) {
  if (fact.prototype && !fact.prototype->source.empty()) return fact.prototype;
  if (fact.value && !fact.value->source.empty()) return fact.value;
  if (fact.symbol) return fact.symbol;
  if (fact.type) return fact.type;
  return fact.tier;
}

}  // namespace

std::vector<std::string> source_defects(const Tables& tables) {
  std::vector<std::string> out;
  std::set<std::string> cited;
  std::set<std::pair<const void*, std::string>> reported;
  Tables copy = tables;  // list_facts gives access for changes.
  std::vector<MusaFact> facts = list_facts(&copy);
  const ShownRanges ranges(tables, facts);
  for (MusaQuirk& quirk : copy.quirks) {
    if (quirk.otherwise.says.empty()) continue;
    MusaFact& fact = facts.emplace_back();
    fact.id = "quirk:" + quirk.name + ", 'otherwise'";
    fact.tier = &quirk.otherwise.tier;
    fact.sources = quirk.otherwise.sources;
    fact.place = quirk.place;
  }
  for (const MusaFact& fact : facts) {
    Tier best = Tier::kComment;
    for (const std::string& name : fact.sources) {
      if (name.starts_with("mappings/musa/reports/")) continue;
      const CitedSource* source = tables.sources.find(name);
      cited.insert(name);
      if (source) {
        best = std::min(best, is_name(fact) ? source->names : source->rest);
      } else if (!is_measured(fact) && reported.emplace(entry_of(fact), name).second) {
        out.push_back(TableError(fact.place, fact.id + ": '" + name +
                                                 "' is not in musa/sources.yaml; add it with the "
                                                 "commit at which you read it")
                          .what());
      }
    }
    if (is_measured(fact) || !needs_source(*fact.tier)) continue;
    const std::string too_wide = ranges.of(fact).defect;
    // Once for an entry: the parts of a type share its range.
    if (!too_wide.empty() && reported.emplace(entry_of(fact), too_wide).second) {
      out.push_back(TableError(fact.place, fact.id + ": " + too_wide).what());
    }
    if (*fact.tier >= best) continue;
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
