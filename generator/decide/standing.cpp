#include "generator/decide/standing.h"

#include <algorithm>

#include "generator/decide/calls.h"
#include "generator/decide/delegation.h"
#include "generator/decide/per_thread.h"

namespace torchada {

const char* standing_name(Standing standing) {
  static const char* const kNames[kStandings] = {"supported", "assumed", "emulated", "pending",
                                                 "unsupported"};
  return kNames[static_cast<int>(standing)];
}

std::vector<Candidate> candidates_of(const Tables& tables, const Comparer& comparer,
                                     const Output& output, const CudaSymbol& symbol,
                                     const std::string& target, const Place& place) {
  std::vector<Candidate> out;
  const Prototype* cuda = prototype_in(symbol, output);
  if (!cuda) return out;
  for (const MusaSymbol* musa :
       tables.musa_symbols(tables.forward[output.library].backend, target)) {
    for (const MusaPrototype& prototype : musa->prototypes) {
      out.push_back({musa, &prototype, comparer.prototypes(*cuda, output, prototype, place)});
    }
  }
  return out;
}

namespace {

// Without those of other SDKs, unless there are no others.
template <typename Candidates>
Candidates only_for(int sdk, const Candidates& all) {
  Candidates out;
  for (const auto& candidate : all) {
    if (candidate.prototype->sdk.contains(sdk)) out.push_back(candidate);
  }
  return out.empty() ? all : out;
}

Standing standing_of_adapted(const Tables& tables, const Comparer& comparer, const Output& output,
                             const CudaSymbol& symbol, const ForwardRow& row, int sdk) {
  for (const AdaptedCandidate& candidate : only_for(
           sdk, adapted_candidates_of(tables, comparer, output, symbol, row.target, row.place))) {
    if (candidate.adaptation.is_possible && candidate.adaptation.is_evident &&
        candidate.symbol->tier <= Tier::kDoc) {
      return Standing::kSupported;
    }
  }
  return Standing::kAssumed;
}

// Has the standing of its target, whose row decides the rest.
Standing standing_of_delegated(const Tables& tables, const Comparer& comparer, const Output& output,
                               const CudaSymbol& symbol, const ForwardRow& row, int sdk) {
  const Call target = find_call(tables, output, row.target);
  const ForwardRow* next =
      target.own ? row_of(tables.forward[output.library], row.target, output.abi) : nullptr;
  if (!next || next->decision == RowDecision::kDelegated) {
    throw TableError(row.place,
                     symbol.name + ": cannot be delegated to " + row.target +
                         ": expected an export of this library whose own row is not 'delegated'");
  }
  const Standing standing = standing_of(tables, comparer, output, *target.own, *next, sdk);
  const bool in_place = goes_in_place(tables, output, symbol, row);
  return standing == Standing::kSupported && in_place ? Standing::kAssumed : standing;
}

}  // namespace

bool goes_in_place(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                   const ForwardRow& row) {
  const Call target = find_call(tables, output, row.target);
  const Prototype* from = prototype_in(symbol, output);
  const Prototype* to = target.own ? prototype_in(*target.own, output) : nullptr;
  if (!from || !to) {
    throw TableError(
        row.place,
        symbol.name + ": its prototype is not known, so it cannot be delegated to " + row.target);
  }
  return plan_delegation(tables, output, *from, *to, row.place).in_place;
}

std::vector<AdaptedCandidate> adapted_candidates_of(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const std::string& target, const Place& place) {
  if (is_per_thread(symbol.name) && !is_per_thread(target)) {
    return own_stream_candidates(tables, comparer, output, symbol, target, place);
  }
  std::vector<AdaptedCandidate> out;
  const Prototype* cuda = prototype_in(symbol, output);
  if (!cuda) return out;
  for (const MusaSymbol* musa :
       tables.musa_symbols(tables.forward[output.library].backend, target)) {
    for (const MusaPrototype& prototype : musa->prototypes) {
      out.push_back({musa, &prototype, adapt(tables, comparer, *cuda, output, prototype, place)});
    }
  }
  return out;
}

Standing standing_of(const Tables& tables, const Comparer& comparer, const Output& output,
                     const CudaSymbol& symbol, const ForwardRow& row, int sdk) {
  switch (row.decision) {
    case RowDecision::kAdapted:
      return standing_of_adapted(tables, comparer, output, symbol, row, sdk);
    case RowDecision::kDelegated:
      return standing_of_delegated(tables, comparer, output, symbol, row, sdk);
    case RowDecision::kPending:
      return Standing::kPending;
    case RowDecision::kEmulated:
    case RowDecision::kRecorded:
      return Standing::kEmulated;
    case RowDecision::kUnsupported:
    case RowDecision::kNoImage:
      return Standing::kUnsupported;
    case RowDecision::kDirect:
      break;
  }
  Comparison best{Sameness::kDiffers, ""};
  Tier tier = Tier::kAbsent;
  for (const Candidate& candidate :
       only_for(sdk, candidates_of(tables, comparer, output, symbol, row.target, row.place))) {
    if (candidate.comparison.sameness < best.sameness) best = candidate.comparison;
    tier = candidate.symbol->tier;
  }
  const bool evident = best.sameness == Sameness::kSame && tier <= Tier::kDoc;
  return evident ? Standing::kSupported : Standing::kAssumed;
}

std::vector<std::string> alias_group(const CudaLibrary& library, const CudaSymbol& symbol) {
  const std::string& head = symbol.alias_of.empty() ? symbol.name : symbol.alias_of;
  std::vector<std::string> out;
  for (const auto& [name, other] : library.symbols) {
    if (name == head || other.alias_of == head) out.push_back(name);
  }
  return out;
}

std::string decided_as(const Tables& tables, const Output& output, const CudaSymbol& symbol) {
  const ForwardLibrary& forward = tables.forward[output.library];
  if (row_of(forward, symbol.name, output.abi)) return symbol.name;
  for (const std::string& name : alias_group(tables.cuda[output.library], symbol)) {
    if (row_of(forward, name, output.abi)) return name;
  }
  return symbol.name;
}

}  // namespace torchada
