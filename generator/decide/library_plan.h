// One replacement library, resolved: what the tables together decide about each of its exports.
// check and the emitters ask nothing else about a symbol; they print what is here.
#pragma once

#include <string>
#include <vector>

#include "generator/decide/calls.h"
#include "generator/decide/guards.h"
#include "generator/decide/standing.h"
#include "generator/tables/tables.h"

namespace torchada {

struct RefusableParameter {
  std::string function;
  std::string name;  // "type", or "description.filterMode" for a member of a struct.
  std::string type;  // An enumeration of CUDA's; empty for anything else.
  int number = 0;    // Of the parameter, from 0.
  int adapter = 0;   // Index in LibraryPlan::adapters; 0 for one that is written by hand.
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

// One generated adapter: one exported symbol with one prototype of its target, or a function of
// MUSA that is called from adapters written by hand, with what must happen to its structs.
struct GeneratedAdapter {
  std::string symbol;  // The name of the slot.
  std::string name;    // Name of the C function.
  int index = 0;       // In LibraryPlan::adapters, and of MUSA's function in torchada_callees.
  AdaptedCandidate candidate;
};

// A function of MUSA that a slot may lead to.
struct PlannedTarget {
  std::string link_name;
  SdkRange sdk;
  int adapter = 0;  // Index in LibraryPlan::adapters; 0 for a bare jump.
};

// A MUSA function without which an adapter cannot work.
struct PlannedNeed {
  int adapter = 0;   // Index in LibraryPlan::adapters.
  std::string musa;  // The name of a slot.
};

// What the resolver does with a slot; the enumerators are those of Decision in stubs/table.h.
enum class SlotDecision { kDirect, kAdapter, kUnsupported, kNoImage, kInternal, kDirectOrAdapter };

// What a function returns; the enumerators are those of Returns in stubs/table.h.
enum class ReturnKind { kStatus, kVoid, kString, kZero };

// One slot. Its index is its place in LibraryPlan::slots.
struct PlannedSlot {
  std::string name;                      // Of the export; MUSA's for a call of an adapter.
  const CudaSymbol* symbol = nullptr;    // Null for a call of an adapter.
  const ForwardRow* row = nullptr;       // The same.
  const Prototype* prototype = nullptr;  // Null if none is known.
  SlotDecision decision = SlotDecision::kInternal;
  ReturnKind returns = ReturnKind::kStatus;
  std::string backend;                 // The MUSA library of the targets.
  std::vector<PlannedTarget> targets;  // The first that the opened SDK has is taken.
  std::string reason;                  // Why it is refused.
  int adapter = 0;  // Index in LibraryPlan::adapters, for kAdapter and kDirectOrAdapter.
  int guard = 0;    // Index of its guard in LibraryPlan::adapters; 0 for none.
  // One more than the index in LibraryPlan::own_statuses; 0: the library's usual answer.
  int no_backend = 0;
  int unsupported = 0;
};

// One exported name. Exports at the same address share a slot.
struct PlannedExport {
  const CudaSymbol* symbol = nullptr;
  std::string decided_as;           // The name whose row decides; another export for an alias.
  const ForwardRow* row = nullptr;  // Never null.
  Standing standing = Standing::kUnsupported;
};

struct LibraryPlan {
  const Output* output = nullptr;           // The one that was planned.
  const ForwardLibrary* forward = nullptr;  // Into the tables.
  std::vector<PlannedExport> exports;       // Sorted by name.
  // Exports with a row of their own, those that programs use most first; then adapters' calls.
  std::vector<PlannedSlot> slots;
  std::vector<GeneratedAdapter> generated;
  std::vector<Guard> guards;
  // C functions that slots may lead to, behind an empty one: the generated adapters, the guards,
  // those written by hand.
  std::vector<std::string> adapters{""};
  std::vector<int> own_statuses;  // Of functions that answer something else than their library.
  std::vector<Call> own_calls;    // Own exports that adapters call.
  std::vector<PlannedNeed> needs;
  RefusalPlan refusals;
};

}  // namespace torchada
