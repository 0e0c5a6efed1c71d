#include "generator/decide/settling.h"

namespace torchada {

Settled Settling::by(const WeakFact& missing) const {
  Settled out;
  out.fact = names_.of(missing.tier);
  if (out.fact.empty()) {
    out.none_for = "no single call shows it, so the tables list no fact for it";
    return out;
  }
  const auto found = tables_.probes.find(out.fact);
  if (found == tables_.probes.end()) {
    out.none_for = "mappings/musa/probes.csv does not list the fact yet";
    return out;
  }
  out.probe = found->second.probe;
  out.none_for = found->second.none_for;
  return out;
}

}  // namespace torchada
