#include "generator/report/check_sources.h"

#include <algorithm>
#include <set>
#include <utility>

#include "generator/tables/fact_list.h"
#include "generator/tables/yaml_source.h"

namespace torchada {
namespace {

// Extracted from an SDK, or confirmed by a report: the files that say so are not on the list.
bool is_measured(const MusaFact& fact) { return *fact.tier <= Tier::kSdk; }

bool is_name(const MusaFact& fact) { return fact.kind == "symbol" || fact.kind == "soname"; }

// Whether the tier claims that somebody wrote the fact down.
bool needs_source(Tier tier) { return tier <= Tier::kCbid; }

// The oldest release in which a source shows the name or the argument list; 0 if one of those that
// show it names no release. A number has a range where SDKs are known to differ, whatever its
// source names.
int oldest_shown(const MusaFact& fact, const SourceList& sources) {
  if (fact.kind != "symbol" && fact.kind != "prototype") return 0;
  int oldest = 0;
  for (const std::string& name : fact.sources) {
    const CitedSource* source = sources.find(name);
    if (!source || !needs_source(is_name(fact) ? source->names : source->rest)) continue;
    if (source->sdk == 0) return 0;
    oldest = oldest == 0 ? source->sdk : std::min(oldest, source->sdk);
  }
  return oldest;
}

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
    const int oldest = oldest_shown(fact, tables.sources);
    if (fact.sdk.from < oldest) {
      const std::string range = range_text({oldest, SdkRange{}.to});
      out.push_back(TableError(fact.place, fact.id + " is shown by sources that name SDK " +
                                               range.substr(2) + " or a newer one; add 'sdk: \"" +
                                               range + "\"'")
                        .what());
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
