#include "generator/decide/standing.h"

#include <algorithm>
#include <optional>

#include "generator/decide/calls.h"
#include "generator/decide/delegation.h"
#include "generator/decide/per_thread.h"

namespace torchada {

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

WeakFact weak(const std::string& what, const Tier& tier) {
  if (tier <= Tier::kDoc) return {};
  return weak_fact("the evidence for " + what + " has only tier " + tier_name(tier), tier);
}

WeakFact weak_function(const MusaSymbol& symbol, const MusaPrototype& prototype) {
  WeakFact out = weak(symbol.name, symbol.tier);
  out.weaken(weak("the arguments of " + symbol.name, prototype.tier));
  return out;
}

// Of the waiting for the thread's own stream: MUSA's handle for that stream and its function.
WeakFact weak_own_stream(const Tables& tables, const Output& output,
                         const AdaptedCandidate& candidate) {
  const Adaptation& plan = candidate.adaptation;
  const bool passes_stream =
      std::any_of(plan.parameters.begin(), plan.parameters.end(),
                  [](const ParameterPlan& item) { return item.conversion == Conversion::kStream; });
  if (!passes_stream) return {};
  const ReplacementLibrary& library = tables.registry.libraries[output.library];
  const MusaLibrary& backend = tables.musa_library(tables.forward[output.library].backend);
  WeakFact out;
  for (const MusaEnumValue& constant : backend.constants) {
    if (constant.name != library.own_stream.handle) continue;
    out.weaken(weak("the number of " + constant.name, constant.tier));
  }
  const auto wait = backend.symbols.find(library.own_stream.wait);
  if (plan.waits_for_own_stream && wait != backend.symbols.end()) {
    out.weaken(weak(wait->first, wait->second.tier));
  }
  return out;
}

// Whether the row's other function is in the slot, because MUSA's takes other arguments in this
// SDK.
bool goes_other_way(const Tables& tables, const Comparer& comparer, const Output& output,
                    const CudaSymbol& symbol, const ForwardRow& row, int sdk) {
  if (row.otherwise.reason.empty()) return false;
  if (row.decision == RowDecision::kDirect) {
    const std::vector<Candidate> all =
        only_for(sdk, candidates_of(tables, comparer, output, symbol, row.target, row.place));
    return std::all_of(all.begin(), all.end(), [](const Candidate& candidate) {
      return candidate.comparison.sameness == Sameness::kDiffers;
    });
  }
  const std::vector<AdaptedCandidate> all =
      only_for(sdk, adapted_candidates_of(tables, comparer, output, symbol, row.target, row.place));
  return std::none_of(all.begin(), all.end(), [](const AdaptedCandidate& candidate) {
    return candidate.adaptation.is_possible;
  });
}

// Has the standing of its target, whose row decides the rest.
Standing standing_of_delegated(const Tables& tables, const Comparer& comparer, const Output& output,
                               const CudaSymbol& symbol, const ForwardRow& row, int sdk) {
  const CudaSymbol& target = delegation_target(tables, output, symbol, row, row.target);
  const ForwardRow* next = row_of(tables.forward[output.library], row.target, output.abi);
  const Standing standing = standing_of(tables, comparer, output, target, *next, sdk);
  const bool in_place = goes_in_place(tables, output, symbol, row);
  return standing == Standing::kSupported && in_place ? Standing::kAssumed : standing;
}

// The first candidate from which nothing is missing decides, else the first one tells what is.
template <typename Candidates, typename MissingFact>
WeakFact missing_in_all(const Candidates& all, MissingFact missing) {
  WeakFact first = unknown_fact("MUSA's function is not known");
  bool is_first = true;
  for (const auto& candidate : all) {
    const std::optional<WeakFact> fact = missing(candidate);
    if (!fact) continue;
    if (fact->empty()) return {};
    if (is_first) first = *fact;
    is_first = false;
  }
  return first;
}

}  // namespace

bool goes_in_place(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                   const ForwardRow& row) {
  const CudaSymbol& target = delegation_target(tables, output, symbol, row, row.target);
  return plan_delegation(tables, output, symbol, target, row).in_place;
}

WeakFact missing_fact(const Candidate& candidate) {
  WeakFact out = weak_function(*candidate.symbol, *candidate.prototype);
  out.weaken(candidate.comparison.weak);
  return out;
}

WeakFact missing_fact(const Tables& tables, const Comparer& comparer, const Output& output,
                      const CudaSymbol& symbol, const AdaptedCandidate& candidate) {
  WeakFact out = weak_function(*candidate.symbol, *candidate.prototype);
  out.weaken(weak_own_stream(tables, output, candidate));
  if (candidate.adaptation.is_evident) return out;
  for (const ParameterPlan& parameter : candidate.adaptation.parameters) {
    out.weaken(weakest_number(parameter.enumeration));
    out.weaken(parameter.structure.weak);
  }
  const Prototype* cuda = prototype_in(symbol, output);
  const Prototype musa = expand(tables, *candidate.prototype);
  WeakFact never_passed;
  for (std::size_t i = 0; cuda && i < cuda->parameters.size() && i < musa.parameters.size(); ++i) {
    const std::string& type = cuda->parameters[i].type;
    const Comparison comparison =
        comparer.types(type, musa.parameters[i].type, output, candidate.prototype->sdk,
                       direction_of(type), candidate.prototype->place);
    if (comparison.sameness != Sameness::kAssumed) continue;
    // An adapter refuses an enumerator whose number is not known.
    const bool is_refused = i < candidate.adaptation.parameters.size() &&
                            !candidate.adaptation.parameters[i].enumeration.refused.empty();
    (is_refused && comparison.weak.is_unknown() ? never_passed : out).weaken(comparison.weak);
  }
  if (out.empty()) out = never_passed;
  if (!out.empty()) return out;
  throw TableError(
      candidate.prototype->place,
      symbol.name + ": some type is not evident, but none of its parameters' types is");
}

namespace {

// Of a way to MUSA: what the way itself assumes, then MUSA's function, then the types that it does
// not look at.
WeakFact missing_by_way(const Tables& tables, const Comparer& comparer, const Output& output,
                        const CudaSymbol& symbol, const ForwardRow& row, int sdk) {
  const Way& way = tables.forward[output.library].ways.at(row.via);
  if (!way.assumes.empty()) return unknown_fact(way.assumes);
  const Call target = find_call(tables, output, row.target);
  const Prototype* cuda = prototype_in(symbol, output);
  if (!target.musa || !cuda) return unknown_fact("MUSA's function is not known");
  WeakFact out = unknown_fact("the arguments of " + target.musa->name + " are not known");
  for (const MusaPrototype& prototype : target.musa->prototypes) {
    if (!prototype.sdk.contains(sdk)) continue;
    out = weak(target.musa->name, target.musa->tier);
    out.weaken(weak("the arguments of " + target.musa->name, prototype.tier));
    const Prototype musa = expand(tables, prototype);
    for (std::size_t i = 0; i < cuda->parameters.size() && i < musa.parameters.size(); ++i) {
      const std::string& type = cuda->parameters[i].type;
      const std::string& own = musa.parameters[i].type;
      if (way.types.contains(type)) {
        const TypeFact* fact = fact_in(tables, type, output);
        if (!fact || fact->kind != TypeKind::kEnum) continue;
        out.weaken(weakest_number(
            convert_enumeration(tables, comparer, output, type, own, Direction::kIn)));
        continue;
      }
      out.weaken(
          comparer.types(type, own, output, prototype.sdk, direction_of(type), prototype.place)
              .weak);
    }
  }
  return out;
}

}  // namespace

WeakFact missing_fact(const Tables& tables, const Comparer& comparer, const Output& output,
                      const CudaSymbol& symbol, const ForwardRow& row, int sdk) {
  if (row.leads_by_way()) return missing_by_way(tables, comparer, output, symbol, row, sdk);
  if (row.decision == RowDecision::kDirect) {
    return missing_in_all(
        only_for(sdk, candidates_of(tables, comparer, output, symbol, row.target, row.place)),
        [](const Candidate& candidate) -> std::optional<WeakFact> {
          if (candidate.comparison.sameness == Sameness::kDiffers) return std::nullopt;
          return missing_fact(candidate);
        });
  }
  return missing_in_all(
      only_for(sdk, adapted_candidates_of(tables, comparer, output, symbol, row.target, row.place)),
      [&](const AdaptedCandidate& candidate) -> std::optional<WeakFact> {
        if (!candidate.adaptation.is_possible) return std::nullopt;
        return missing_fact(tables, comparer, output, symbol, candidate);
      });
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
    case RowDecision::kDelegated:
      return standing_of_delegated(tables, comparer, output, symbol, row, sdk);
    case RowDecision::kEmulated:
      if (row.leads_by_way()) break;
      return Standing::kEmulated;
    case RowDecision::kRecorded:
      return Standing::kEmulated;
    case RowDecision::kUnsupported:
    case RowDecision::kNoImage:
      return Standing::kUnsupported;
    case RowDecision::kDirect:
    case RowDecision::kAdapted:
      break;
  }
  if (goes_other_way(tables, comparer, output, symbol, row, sdk)) return Standing::kEmulated;
  return missing_fact(tables, comparer, output, symbol, row, sdk).empty() ? Standing::kSupported
                                                                          : Standing::kAssumed;
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
