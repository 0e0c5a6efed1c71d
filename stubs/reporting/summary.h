// TORCHADA_SUMMARY: the companion counts refused calls and lists them when the process exits. Slots
// of refused calls then stay on the resolver, so that every call passes through here.
#pragma once

#include "src/shared/text.h"

namespace torchada {

// Registers the summary to be printed at exit. Does nothing without TORCHADA_SUMMARY.
void begin_summary();

// Counts one refused call under its line `text`. Does nothing without TORCHADA_SUMMARY.
void count_refusal(const Line& text);

}  // namespace torchada
