// Records: one line each, in any of the formats.
#pragma once

#include "src/companion/trace/options.h"
#include "src/companion/trace/traced.h"
#include "src/companion/trace/values.h"

namespace torchada::trace {

void write_call(Buffer* out, Format format, const Call& call);

// Says that a call begins; `call.result` and `call.duration` are unused. Writes nothing in Chrome's
// format.
void write_begin(Buffer* out, Format format, const Call& call);

// Records the call of a callback: `call.arguments` are the callback's; `call.traced` is not used.
void write_callback_call(Buffer* out, Format format, const Callback& callback, const Call& call);

// Says which process this is, and how its clock relates to other clocks.
void write_process(Buffer* out, Format format);

// A remark about the trace itself.
void write_remark(Buffer* out, Format format, const std::string& text);

// What pointer arguments point at before the call, by parameter, in the style of `format`.
std::vector<std::string> read_before(Format format, const Traced& traced, void* const* arguments);

std::int64_t now();  // CLOCK_MONOTONIC, nanoseconds.

}  // namespace torchada::trace
