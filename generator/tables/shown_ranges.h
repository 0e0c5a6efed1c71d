// How much of the ranges of SDKs in mappings/musa their sources show.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "generator/tables/fact_list.h"

namespace torchada {

// Releases are compared by their first two numbers: a source of 4.3.5 shows 4.3.
class ShownRanges {
 public:
  struct Standing {
    // Why SDKs belong to the range that no source shows: "4.0 lies between 3.1 and 5.2, which
    // agree". Empty if sources show where it begins and ends.
    std::string assumed;
    std::string defect;  // What is wrong, if the tables do not say why. Otherwise empty.
  };

  // `tables` must outlive this.
  ShownRanges(const Tables& tables, const std::vector<MusaFact>& facts);
  Standing of(const MusaFact& fact) const;

 private:
  struct Shown {
    std::set<int> releases;
    bool unnamed = false;  // A source shows it in a release that it does not name.
  };
  Shown shown_by_sources(const MusaFact& fact) const;
  // The reason for a border at this release, or empty.
  std::string border(const MusaFact& fact, int release) const;

  const Tables& tables_;
  std::set<int> named_;                          // Every release that a source names.
  std::map<std::string, std::set<int>> agreed_;  // By what is claimed, in any range.
};

// Whether the tier claims that somebody wrote the fact down.
bool needs_source(Tier tier);
// A name is shown by more sources than what it means.
bool is_name(const MusaFact& fact);

}  // namespace torchada
