// Where the slot of a symbol shall lead.
#pragma once

#include "stubs/table.h"

namespace torchada {

// What to do about one symbol. resolver.cpp carries it out.
struct Plan {
  enum Outcome : uint8_t {
    kServed,
    kRefused,         // Report it; the slot gets a fallback.
    kFailsInSilence,  // The same without a report: the caller reports, or the process ends.
  } outcome = kServed;
  // Whether the slot may keep the result. False while a library is being opened: the next call
  // plans again.
  bool settled = true;

  // Of a served symbol: the function that does the work. Null if a guard refuses by itself.
  void* address = nullptr;
  // What stands in front of it, by its index in `adapters`, 0 for none. The guard comes first, then
  // the adapter, then `address`.
  uint16_t guard = 0, adapter = 0;
  // Whether `address` may initialise MUSA, which then ends at fork().
  bool initialises = false;

  // Of any other symbol.
  FailureKind failure = FailureKind::kUnsupported;
  const char* reason = nullptr;  // Null if `file` lacks `target`, or without MUSA.

  // What the log line or the report names, null if nothing.
  const char* target = nullptr;  // A function of MUSA, or "adapter".
  const char* file = nullptr;    // Where it was sought. Without MUSA: see Lookup::file.
};

// Opens MUSA if the symbol needs it. Stores nothing about the symbol and prints nothing about it.
// `requests` comes from requests() in environment.h.
Plan plan_route(const Symbol& symbol, unsigned requests);

}  // namespace torchada
