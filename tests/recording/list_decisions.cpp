// recording_decisions MAPPINGS: what the tables decide for every export, one line each:
//     LABEL CUDA-NAME DECISION MUSA-NAME RETURN-TYPE
// MUSA-NAME is the exported name that the decision leads to on the SDK that the recording backend
// reports, "-" if there is none. RETURN-TYPE is the rest of the line, "?" if unknown.
#include <iostream>

#include "generator/decide/standing.h"
#include "generator/tables/tables.h"
#include "tests/recording/listing.h"

namespace {

using namespace torchada;

std::string target_of(const Tables& tables, const Comparer& comparer, const Output& output,
                      const CudaSymbol& symbol, const ForwardRow& row) {
  if (row.decision == RowDecision::kAdapted) {
    for (const AdaptedCandidate& candidate :
         adapted_candidates_of(tables, comparer, output, symbol, row.target, row.place)) {
      if (!candidate.adaptation.is_possible) continue;
      if (candidate.prototype->sdk.contains(kSdkVersion)) return candidate.symbol->link_name;
    }
  }
  if (row.decision == RowDecision::kDelegated) {
    const CudaSymbol& next = tables.cuda[output.library].symbols.at(row.target);
    const ForwardRow* its = row_of(tables.forward[output.library], row.target, output.abi);
    return its ? target_of(tables, comparer, output, next, *its) : "-";
  }
  if (row.decision != RowDecision::kDirect) return "-";
  for (const Candidate& candidate :
       candidates_of(tables, comparer, output, symbol, row.target, row.place)) {
    if (candidate.comparison.sameness == Sameness::kDiffers) continue;
    if (candidate.prototype->sdk.contains(kSdkVersion)) return candidate.symbol->link_name;
  }
  return "-";
}

// If the SDK has the target with other arguments only, the slot holds a hand-written function.
std::string decision_of(const ForwardRow& row, const std::string& target) {
  const bool otherwise = target == "-" && !row.otherwise.calls.empty();
  return decision_name(otherwise ? RowDecision::kEmulated : row.decision);
}

void list(const Tables& tables) {
  const Comparer comparer(tables);
  for (const Output& output : list_outputs(tables)) {
    for (const CudaSymbol* symbol : exports_of(tables, output)) {
      const std::string decided = decided_as(tables, output, *symbol);
      const CudaSymbol& decider = tables.cuda[output.library].symbols.at(decided);
      const ForwardRow* row = row_of(tables.forward[output.library], decided, output.abi);
      if (!row) throw std::runtime_error("no row for " + symbol->name + " in " + output.label());
      const Prototype* prototype = prototype_in(decider, output);
      const std::string target = target_of(tables, comparer, output, decider, *row);
      // A function that reads through an argument cannot be called with arbitrary ones.
      const bool reads = row->guard.parameter.find('.') != std::string::npos;
      std::cout << output.label() << ' ' << symbol->name << ' '
                << (reads ? "guarded" : decision_of(*row, target)) << ' ' << target << ' '
                << (prototype ? prototype->returns : "?") << '\n';
    }
  }
}

}  // namespace

int main(int argc, char** argv) { return list_tables(argc, argv, list); }
