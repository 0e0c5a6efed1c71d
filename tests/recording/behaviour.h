// Functions of the backend that answer as a test wants them to, instead of with values that mean
// nothing.
#pragma once

#include "recording.h"

extern "C" {
// `name` returns `status` from now on; and, by recording_write, stores `size` bytes of `data` where
// its argument number `argument` (integers and pointers, from 0) points, unless that is null. Of
// one name the latest counts.
void recording_answer(const char* name, int status);
void recording_write(const char* name, unsigned argument, const void* data, std::size_t size);
// Every call returns `status` from now on.
void recording_answer_all(std::uint64_t status);
// Copies 16 bytes from where argument `argument` of `name` points into `seen[slot]` of each call.
void recording_look(const char* name, unsigned slot, unsigned argument);
// Calls of functions whose name ends with `suffix` are logged with what their argument `argument`
// points at, in `seen[0]`: as many bytes as the argument after it says.
void recording_watch(const char* suffix, unsigned argument);
// From now on `name` returns `status` and, where `argument` is not negative, writes `value` to
// where that integer argument points if it points anywhere; all other functions return 0. A null
// `name` ends that: every call returns numbers that no other does.
void recording_behave(const char* name, std::uint32_t status, int argument, std::uint32_t value);

// Does all that for one call that arrived. `noise` is what nobody may read: a status has 32 bits.
void recording_play(std::uint64_t noise, recording_exchange* exchange, recording_call* call);
}
