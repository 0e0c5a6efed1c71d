// TORCHADA_SUMMARY: what was refused, counted by the companion and said when the process exits. A
// slot that leads to a refusal then stays on the resolver, so that every call comes by here.
#pragma once

#include "text.h"

namespace torchada {

// Lets the process say its summary at exit. Does nothing without TORCHADA_SUMMARY.
void begin_summary();

// Counts one refused call, of which `text` is the line. Does nothing without TORCHADA_SUMMARY.
void count_refusal(const Line& text);

}  // namespace torchada
