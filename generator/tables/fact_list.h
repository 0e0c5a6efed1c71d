// Every fact about MUSA separately, with a stable name: torchada verify confirms them, reports
// refer to them, and VALIDATION.md counts them.
//
//   symbol:LIBRARY/NAME              exported by the library
//   prototype:LIBRARY/NAME           takes these arguments
//   value:LIBRARY/TYPE/ENUMERATOR    has this number
//   size:LIBRARY/TYPE                bytes of a struct
//   field:LIBRARY/TYPE/FIELD         where a member of a struct lies
//   type:LIBRARY/TYPE                handles, integers, callbacks
//   constant:LIBRARY/NAME            a macro of the headers
//   soname:LIBRARY/FILE  version:LIBRARY  runtime:NUMBER  environment:NAME  quirk:NAME
//
// A fact that holds for some SDKs only ends with their range:
// "value:musart/musaError_t/musaSuccess@<5.0".
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

// Claim of a fact that the tables mention but do not know.
inline constexpr char kUnknownClaim[] = "unknown";

struct MusaFact {
  std::string id, kind, library;
  std::string name;   // Name of the symbol, enumerator, struct, ...
  std::string claim;  // The claim in one line; a confirmation confirms exactly this.
  SdkRange sdk;
  Tier* tier = nullptr;  // Points into the tables that were listed.
  std::vector<std::string> sources;
  Place place;
  std::string assumed;  // Why the range is wider than its sources show, if its entry says so.

  Tier* type_tier = nullptr;                     // For a part of a type: tier of the whole type.
  std::function<void(const std::string&)> cite;  // Adds a source to the tables that were listed.

  // Set by kind; otherwise null.
  const MusaSymbol* symbol = nullptr;
  const MusaPrototype* prototype = nullptr;
  const MusaType* type = nullptr;
  const MusaEnumValue* value = nullptr;
  const Field* field = nullptr;
  const MusaQuirk* quirk = nullptr;
};

// In the order of the tables. Throws TableError if two facts would have the same name.
std::vector<MusaFact> list_facts(Tables* tables);

// The names of the facts, by their evidence.
class FactNames {
 public:
  explicit FactNames(const Tables& tables);

  // `tier` points into the tables. Parts of a struct share one: it names the size. Empty if no fact
  // rests on it, or if it is null.
  std::string of(const Tier* tier) const;

 private:
  std::map<const Tier*, std::string> names_;
};

// The name by which mappings/musa/probe_facts.csv lists a fact: without the range of SDKs, for a
// number only its enumeration, and for a symbol its library. These change less often.
std::string probed_name(const MusaFact& fact);

// ">=5.0 <5.1", empty for any SDK.
std::string range_text(const SdkRange& range);

// "musaError_t musaMalloc(void **devPtr, size_t size)"
std::string spelled(const Prototype& prototype, const std::string& name);

}  // namespace torchada
