// What the reference says about each export: the tables' decisions in words.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/standing.h"
#include "generator/tables/tables.h"

namespace torchada {

// A MUSA function that a call may reach, for some SDKs.
struct ReferenceTarget {
  std::string name;       // As a programmer writes it.
  std::string link_name;  // As exported.
  SdkRange sdk;
  Tier tier = Tier::kMap;
  bool has_adapter = false;
};

// One export, for the majors in which everything said about it is the same.
struct ReferenceRow {
  std::string library;
  std::string symbol;
  std::vector<int> majors;
  std::string decision;
  Standing standing = Standing::kUnsupported;
  std::vector<ReferenceTarget> targets;
  std::string note;     // Why it is unsupported or assumed, or how it is emulated; may be empty.
  WeakFact missing;     // For an assumed one. What is not a fact of the tables has no tier.
  std::string besides;  // Other things that a program may meet; may be empty.
};

// What a program may meet beyond the decision: another way, a refusal. May be empty.
std::string besides_of(const ForwardRow& row);

// The note, followed by `besides`.
std::string remarks(const ReferenceRow& row);

// Sorted by library, symbol and major. Throws TableError on a defect that check would report.
std::vector<ReferenceRow> reference_rows(const Tables& tables);

// The MUSA function with tier `doc` or better that is the counterpart of a CUDA function by name or
// prototype, whatever its row says. Null if there is none.
const MusaSymbol* evident_counterpart(const Tables& tables, const std::string& library,
                                      const std::string& symbol);

// ">=4.2 <5.0" or "any", as the tables write it.
std::string sdk_range_text(SdkRange range);
// "4.2" or "4.2.1".
std::string sdk_text(int version);

}  // namespace torchada
