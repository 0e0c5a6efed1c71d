// The records of a call, and of the work that it begins on a device.
#pragma once

#include "src/companion/profiler/call.h"

namespace torchada::profiler {

// Whether a record of what such a call does on a device is wanted.
bool is_timed(const Profiler& profiler, const Function& function);

// Around a call of which is_timed() was true. What failed has no record.
void begin_work(Profiler* profiler, Call* call);
void end_work(Profiler* profiler, Call* call);

// `end`: when the call returned.
void add_call(Profiler* profiler, const Call& call, std::uint64_t end);
void add_synchronization(Profiler* profiler, const Call& call, std::uint64_t end);
void add_memory(Profiler* profiler, const Call& call, std::uint64_t end);
// Of the context that is current.
void add_context(Profiler* profiler, const Call& call);
// The program's own numbers of this moment.
void add_externals(Profiler* profiler, const Call& call);

}  // namespace torchada::profiler
