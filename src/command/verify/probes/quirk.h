// A fact of mappings/musa/quirks.yaml: behaviour that no prototype shows.
#pragma once

#include <string>

#include "src/command/verify/probe.h"

namespace torchada::verify {

// What MUSA alone does, the stand-in does not show: there it stays undecided.
inline void decide_quirk(Probing& p, const std::string& name, bool holds,
                         const std::string& found) {
  const Fact* fact = p.facts().quirk(name);
  if (!fact) return;
  if (p.is_stand_in() && !fact->on_stand_in) {
    p.leave(fact->id, "the stand-in cannot show this; result here: " + found);
    return;
  }
  const bool was_seen = !holds && !fact->otherwise.empty();
  p.decide(fact->id, holds, fact->claim,
           found + (was_seen ? "; seen before: " + fact->otherwise : ""));
}

inline void leave_quirk(Probing& p, const std::string& name, const std::string& reason) {
  if (const Fact* fact = p.facts().quirk(name)) p.leave(fact->id, reason);
}

}  // namespace torchada::verify
