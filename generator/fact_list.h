// Every fact about MUSA by itself, with a name that stays the same: what torchada verify confirms,
// reports refer to and VALIDATION.md counts.
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
// A fact that is about some SDKs only has them behind it:
// "value:musart/musaError_t/musaSuccess@<5.0".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tables.h"

namespace torchada {

// Of a fact that the tables name and do not know.
inline constexpr char kUnknownClaim[] = "unknown";

struct MusaFact {
  std::string id, kind, library;
  std::string name;   // Of the symbol, enumerator, struct, ...
  std::string claim;  // What is said to be so, in one line; what a confirmation confirms.
  SdkRange sdk;
  Tier* tier = nullptr;  // In the tables that were listed.
  std::vector<std::string> sources;
  Place place;

  Tier* type_tier = nullptr;                     // Of the whole type, for what is part of one.
  std::function<void(const std::string&)> cite;  // Adds a source to what was listed.

  // By kind; null elsewhere.
  const MusaSymbol* symbol = nullptr;
  const MusaPrototype* prototype = nullptr;
  const MusaType* type = nullptr;
  const MusaEnumValue* value = nullptr;
  const Field* field = nullptr;
};

// In the order of the tables. Throws TableError where two facts would have the same name.
std::vector<MusaFact> list_facts(Tables* tables);

// ">=5.0 <5.1", empty for any SDK.
std::string range_text(const SdkRange& range);

// "musaError_t musaMalloc(void **devPtr, size_t size)"
std::string spelled(const Prototype& prototype, const std::string& name);

}  // namespace torchada
