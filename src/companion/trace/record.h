// Records: one line each, in any of the formats.
#pragma once

#include "options.h"
#include "traced.h"
#include "values.h"

namespace torchada::trace {

void write_call(Buffer* out, Format format, const Call& call);

// That a call begins; `call.result` and `call.duration` mean nothing. Nothing in Chrome's format.
void write_begin(Buffer* out, Format format, const Call& call);

// An invocation of a callback: `call.arguments` are its own, `call.traced` is not used.
void write_callback_call(Buffer* out, Format format, const Callback& callback, const Call& call);

// What process this is, and how its clock stands to others'.
void write_process(Buffer* out, Format format);

// A remark about the trace itself.
void write_remark(Buffer* out, Format format, const std::string& text);

// What went in behind pointers, by parameter, in the style of `format`.
std::vector<std::string> read_before(Format format, const Traced& traced, void* const* arguments);

std::int64_t now();  // CLOCK_MONOTONIC, nanoseconds.

}  // namespace torchada::trace
