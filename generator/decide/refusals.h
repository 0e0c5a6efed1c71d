// Which arguments the adapters of a library may refuse, with the names for the line about it.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/enum_conversion.h"
#include "generator/tables/tables.h"

namespace torchada {

struct LibraryPlan;

struct RefusableParameter {
  std::string function;
  std::string name;  // "type", or "description.filterMode" for a member of a struct.
  std::string type;  // An enumeration of CUDA's; empty for anything else.
  int number = 0;    // Of the parameter, from 0.
  int adapter = -1;  // Index in LibraryPlan::generated; -1 for an adapter that is written by hand.
};

// An enumeration of which a line may name a value.
struct NamedType {
  std::string name;
  std::string musa;
  std::vector<EnumValue> values;
};

struct RefusalPlan {
  std::vector<RefusableParameter> parameters;
  std::vector<NamedType> types;  // Those of `parameters` and of attributes, sorted by name.

  // Index in `parameters` of the first row of a generated adapter's parameter. The rows of a
  // struct's members follow each other: those that MUSA lacks, then those that are converted.
  int row_of(int adapter, int number) const;
  // Index in `types`.
  std::size_t type_of(const std::string& name) const;
};

RefusalPlan plan_refusals(const Tables& tables, const LibraryPlan& plan);

}  // namespace torchada
