#include "generator/tables/shown_ranges.h"

namespace torchada {
namespace {

int minor(int release) { return release / 100 * 100; }

// "5.1"
std::string name_of(int release) { return range_text({release, kNoSdkEnd}).substr(2); }

std::string listed(const std::set<int>& releases) {
  std::string out;
  for (const int release : releases) out += (out.empty() ? "" : ", ") + name_of(release);
  return out;
}

// What the fact says and of what, without its range.
std::string claim_of(const MusaFact& fact) {
  return fact.id.substr(0, fact.id.rfind(range_text(fact.sdk).empty() ? "" : "@")) + " " +
         fact.claim;
}

// A version and a variable of the environment have no range; that of a quirk claims nothing.
bool has_range(const MusaFact& fact) {
  static const std::set<std::string> kinds = {"symbol", "prototype", "value",    "size",
                                              "field",  "type",      "constant", "soname"};
  return kinds.count(fact.kind) != 0;
}

}  // namespace

bool needs_source(Tier tier) { return tier <= Tier::kCbid; }

bool is_name(const MusaFact& fact) { return fact.kind == "symbol" || fact.kind == "soname"; }

ShownRanges::ShownRanges(const Tables& tables, const std::vector<MusaFact>& facts)
    : tables_(tables) {
  for (const auto& [name, source] : tables.sources.all()) {
    for (const int release : source.sdks) named_.insert(minor(release));
  }
  for (const MusaFact& fact : facts) {
    if (needs_source(*fact.tier)) agreed_[claim_of(fact)].merge(shown_by_sources(fact).releases);
  }
}

ShownRanges::Shown ShownRanges::shown_by_sources(const MusaFact& fact) const {
  Shown out;
  for (const std::string& name : fact.sources) {
    const CitedSource* source = tables_.sources.find(name);
    if (!source || !needs_source(is_name(fact) ? source->names : source->rest)) continue;
    if (source->sdks.empty()) out.unnamed = true;
    for (const int release : source->sdks) out.releases.insert(minor(release));
  }
  return out;
}

std::string ShownRanges::border(const MusaFact& fact, int release) const {
  for (const MusaLibrary& library : tables_.musa) {
    const auto found = library.borders.find(release);
    if (library.name == fact.library && found != library.borders.end()) return found->second;
  }
  return {};
}

ShownRanges::Standing ShownRanges::of(const MusaFact& fact) const {
  const Shown own = shown_by_sources(fact);
  if (!has_range(fact) || !needs_source(*fact.tier) || (own.releases.empty() && !own.unnamed)) {
    return {};
  }
  if (!fact.assumed.empty()) return {fact.assumed, ""};
  if (*fact.tier == Tier::kDriver) return {"taken over from the driver's header", ""};
  const std::set<int>& shown = agreed_.at(claim_of(fact));
  Standing out;
  const auto assume = [&out](const std::string& why) {
    out.assumed += (out.assumed.empty() ? "" : "; ") + why;
  };
  // Whether sources show the same before this release and from it on.
  const auto is_between = [&](int release) {
    const auto after = shown.lower_bound(release);
    if (after == shown.begin() || after == shown.end()) return false;
    assume(name_of(release) + " lies between " + name_of(*std::prev(after)) + " and " +
           name_of(*after) + ", which agree");
    return true;
  };

  const int start = fact.sdk.from == 0 ? *named_.begin() : minor(fact.sdk.from);
  if (shown.count(start) == 0 && !is_between(start) && !(own.unnamed && fact.sdk.from == 0)) {
    const std::string why = border(fact, start);
    if (!own.unnamed) {
      out.defect = "its sources show it in SDK " + listed(own.releases) + ", not in " +
                   name_of(start) + "; let the range begin where a source shows it";
    } else if (why.empty()) {
      out.defect = "no source shows it in SDK " + name_of(start) +
                   "; say in 'borders' of the table why ranges begin there";
    } else {
      assume("from " + name_of(start) + ": " + why);
    }
  }
  if (fact.sdk.to == kNoSdkEnd) return out;
  const int end = minor(fact.sdk.to);
  // Between the last release that is shown and the end, no other may be known.
  const auto last = shown.lower_bound(end);
  const auto next = last == shown.begin() ? named_.end() : named_.upper_bound(*std::prev(last));
  const bool reaches = last != shown.begin() && (next == named_.end() || *next >= end);
  if (!reaches && !is_between(end)) {
    const std::string why = border(fact, end);
    if (why.empty()) {
      out.defect = "no source shows it in the last SDK before " + name_of(end) +
                   "; let the range end behind the last one that a source shows, or say in "
                   "'borders' of the table why ranges end there";
    } else {
      assume("before " + name_of(end) + ": " + why);
    }
  }
  return out;
}

}  // namespace torchada
