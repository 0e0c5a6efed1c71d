// mappings/forward/conditions.yaml: what CUDA's documentation asks of the arguments of functions.
#pragma once

#include <map>
#include <regex>
#include <string>
#include <vector>

#include "generator/tables/model.h"
#include "generator/tables/registry.h"

namespace torchada {

struct Condition {
  std::string text;    // "lda >= max(1, m)"
  std::string status;  // The enumerator that CUDA documents if it does not hold.
  Place place;
};

// The functions whose whole name a regular expression matches.
struct FunctionPattern {
  std::string text;
  std::regex expression;
  Place place;
  bool matches(const std::string& function) const;
};

struct ConditionRow {
  FunctionPattern functions;
  std::vector<int> abis;  // Empty: all.
  std::vector<Condition> conditions;
};

struct LibraryConditions {
  std::vector<ConditionRow> rows;        // A function has the conditions of all that match it.
  std::vector<FunctionPattern> without;  // Functions that need no conditions.
  // Why the adapters that are written by hand do not ask; empty if they do.
  std::string emulated;
  Place place;
};

using ConditionTable = std::map<std::string, LibraryConditions>;  // By library.

// Throws TableError.
ConditionTable read_conditions(const std::string& file, const Registry& registry);

}  // namespace torchada
