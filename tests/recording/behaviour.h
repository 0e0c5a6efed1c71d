// Makes functions of the backend return what a test needs, instead of meaningless values.
#pragma once

#include "tests/recording/recording.h"

extern "C" {
// `name` returns `status` from now on. With recording_write it also stores `size` bytes of `data`
// where its argument number `argument` (integers and pointers, from 0) points, unless that is null.
// For each name the latest setting applies.
void recording_answer(const char* name, int status);
void recording_write(const char* name, unsigned argument, const void* data, std::size_t size);
// Every call returns `status` from now on.
void recording_answer_all(std::uint64_t status);
// In each call of `name`, copies `size` bytes from where its argument `argument` points, for
// recording_flooded, and then stores `byte` into each of them if `writes` is set. A null argument
// is left alone. recording_flooded returns what was copied in the latest call, or null if there was
// none, and forgets it.
void recording_flood(const char* name, unsigned argument, std::size_t size, bool writes,
                     unsigned char byte);
const unsigned char* recording_flooded(const char* name, unsigned argument);
// In each call of `name`, copies 16 bytes from where argument `argument` points into `seen[slot]`.
void recording_look(const char* name, unsigned slot, unsigned argument);
// Calls of functions whose names end with `suffix` are logged with what their argument `argument`
// points at, in `seen[0]`. The next argument gives the number of bytes.
void recording_watch(const char* suffix, unsigned argument);
// From now on `name` returns `status`. If `argument` is not negative, it also writes `value` to
// where that integer argument points, if it points anywhere. All other functions return 0. A null
// `name` ends this: every call then returns a unique number again.
void recording_behave(const char* name, std::uint32_t status, int argument, std::uint32_t value);

// Does all of this for one call that arrived. `noise` is what nobody may read: a status has 32
// bits.
void recording_play(std::uint64_t noise, recording_exchange* exchange, recording_call* call);
}
