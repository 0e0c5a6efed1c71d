// The program's function that is called for its calls, and for what they do to contexts and
// streams.
#pragma once

#include "src/companion/profiler/call.h"

namespace torchada::profiler {

// Where a program learns of a call: before it is made, and after it.
enum Site : std::uint32_t { kEnter, kExit };

// The struct of the parameters that a callback gets: in their order, as a compiler lays it out.
void copy_parameters(Call* call);

// Of the call itself. It has a subscriber.
void notify(Profiler* profiler, Call* call, Site site);

// Of what it waited for.
void notify_synchronized(Profiler* profiler, const Call& call);

// Of the stream or context that it is about to destroy, and of one that it has made.
void notify_destroying(Profiler* profiler, const Call& call);
void notify_created(Profiler* profiler, const Call& call);

}  // namespace torchada::profiler
