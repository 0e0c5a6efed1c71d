#include "generator/decide/per_thread.h"

#include <algorithm>

#include "generator/tables/yaml_source.h"

namespace torchada {
namespace {

constexpr const char* kStreamType = "cudaStream_t";

// Null unless evidence shows that MUSA exports it.
const MusaSymbol* evident(const Tables& tables, const Output& output, const std::string& name) {
  const MusaSymbol* symbol = tables.musa_symbol(tables.forward[output.library].backend, name);
  return symbol && symbol->tier <= Tier::kCbid ? symbol : nullptr;
}

// Replaces null streams that the caller passes by the thread's own. False if the function takes
// none.
bool mark_streams(const Prototype& cuda, Adaptation* adaptation) {
  bool found = false;
  for (std::size_t i = 0; i < cuda.parameters.size(); ++i) {
    if (cuda.parameters[i].type != kStreamType) continue;
    adaptation->parameters[i].conversion = Conversion::kStream;
    found = true;
  }
  return found;
}

}  // namespace

const char* const kStreamWait = "musaStreamSynchronize";

std::vector<AdaptedCandidate> per_thread_candidates(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const ForwardRow& row) {
  const bool waits = row.target.ends_with("_ptds");
  if (row.decision != RowDecision::kDirect || !(waits || row.target.ends_with("_ptsz"))) return {};
  const Prototype* own = prototype_in(symbol, output);
  if (!own) return {};
  Prototype cuda = *own;
  const std::string plain = row.target.substr(0, row.target.size() - 5);
  const MusaSymbol* musa = waits ? evident(tables, output, plain + "Async") : nullptr;
  const bool in_own_stream = musa != nullptr;
  if (in_own_stream) cuda.parameters.push_back({kStreamType, "stream"});
  if (!musa) musa = evident(tables, output, plain);
  if (!musa) return {};
  std::vector<AdaptedCandidate> out;
  for (const MusaPrototype& prototype : musa->prototypes) {
    AdaptedCandidate candidate{musa, &prototype,
                               adapt(tables, comparer, cuda, output, prototype, row.place)};
    if (!candidate.adaptation.is_possible) continue;
    candidate.adaptation.waits_for_own_stream = in_own_stream;
    if (!mark_streams(cuda, &candidate.adaptation) && !waits) continue;
    out.push_back(candidate);
  }
  return out;
}

}  // namespace torchada
