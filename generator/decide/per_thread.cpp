#include "generator/decide/per_thread.h"

#include <algorithm>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

const OwnStream& own_stream_of(const Tables& tables, const Output& output) {
  return tables.registry.libraries[output.library].own_stream;
}

// Empty unless evidence shows that MUSA exports it.
std::vector<const MusaSymbol*> evident(const Tables& tables, const Output& output,
                                       const std::string& name) {
  std::vector<const MusaSymbol*> out =
      tables.musa_symbols(tables.forward[output.library].backend, name);
  if (!out.empty() && out.front()->tier > Tier::kCbid) out.clear();
  return out;
}

// The form of `plain` that does not wait. Its name has no _v2 if it is as old as the _v2 of the
// form that waits.
std::vector<const MusaSymbol*> asynchronous(const Tables& tables, const Output& output,
                                            const std::string& plain) {
  const bool second = plain.ends_with("_v2");
  const std::string base = second ? plain.substr(0, plain.size() - 3) : plain;
  if (second) {
    std::vector<const MusaSymbol*> out = evident(tables, output, base + "Async_v2");
    if (!out.empty()) return out;
  }
  return evident(tables, output, base + "Async");
}

}  // namespace

bool is_per_thread(const std::string& name) {
  return name.ends_with("_ptsz") || name.ends_with("_ptds");
}

std::vector<AdaptedCandidate> own_stream_candidates(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const std::string& plain, const Place& place) {
  const Prototype* own = prototype_in(symbol, output);
  if (!own) return {};
  const bool waits = symbol.name.ends_with("_ptds");
  const std::string& stream_type = own_stream_of(tables, output).type;
  Prototype cuda = *own;
  std::vector<const MusaSymbol*> symbols;
  if (waits) symbols = asynchronous(tables, output, plain);
  const bool in_own_stream = !symbols.empty();
  if (in_own_stream) cuda.parameters.push_back({stream_type, "stream"});
  if (symbols.empty()) symbols = evident(tables, output, plain);
  const bool takes_stream =
      std::any_of(cuda.parameters.begin(), cuda.parameters.end(),
                  [&](const Parameter& parameter) { return parameter.type == stream_type; });
  std::vector<AdaptedCandidate> out;
  for (const MusaSymbol* musa : symbols) {
    for (const MusaPrototype& prototype : musa->prototypes) {
      AdaptedCandidate candidate{
          musa, &prototype, adapt(tables, comparer, cuda, output, prototype, place, stream_type)};
      if (!candidate.adaptation.is_possible) continue;
      candidate.adaptation.waits_for_own_stream = in_own_stream;
      if (!takes_stream && !waits) continue;
      out.push_back(candidate);
    }
  }
  return out;
}

std::vector<AdaptedCandidate> per_thread_candidates(const Tables& tables, const Comparer& comparer,
                                                    const Output& output, const CudaSymbol& symbol,
                                                    const ForwardRow& row) {
  const bool leads_to_musa =
      row.decision == RowDecision::kDirect || row.decision == RowDecision::kAdapted;
  if (!leads_to_musa || !is_per_thread(row.target)) return {};
  return own_stream_candidates(tables, comparer, output, symbol,
                               row.target.substr(0, row.target.size() - 5), row.place);
}

const std::string& own_stream_wait(const Tables& tables, const Output& output) {
  return own_stream_of(tables, output).wait;
}

}  // namespace torchada
