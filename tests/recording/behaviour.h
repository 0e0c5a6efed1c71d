// One function of the backend that answers as a test wants it to.
#pragma once

#include "recording.h"

extern "C" {
// From now on `name` returns `status` and, where `argument` is not negative, writes `value` to
// where that integer argument points if it points anywhere; all other functions return 0. A null
// `name` ends that: every call returns numbers that no other does.
void recording_behave(const char* name, std::uint32_t status, int argument, std::uint32_t value);
// Does it for one call that arrived. `noise` is what nobody may read: a status has 32 bits.
void recording_play(const char* name, std::uint64_t noise, recording_exchange* exchange);
}
