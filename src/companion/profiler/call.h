// A call that the profiler sees, and what its arguments say.
#pragma once

#include <cstdint>

#include "src/companion/profiler/profiler.h"

namespace torchada::profiler {

// Nothing in it needs to be cleaned up: an exception of the program may leave the call.
struct Call {
  const Function* function;
  void** arguments;
  void* result;
  std::uint32_t correlation;
  std::uint64_t start;
  std::uint64_t correlation_data;  // The program's own, from entry to exit.
  const Subscriber* subscriber;    // That was called at entry.
  void* stream;
  void* context;
  Timed* work;  // Owned. Lost where an exception leaves the call.
  const char* kernel;
  void* freed;  // What a call that frees was given.
  alignas(16) unsigned char parameters[1024];
};

inline void* pointer(std::uint64_t value) { return reinterpret_cast<void*>(value); }

inline std::int32_t status_of(const Call& call) { return *static_cast<std::int32_t*>(call.result); }

// The stream that the call names, as MUSA knows it.
void* stream_of(const Profiler& profiler, const Call& call);

// What is at the address that an argument holds, where a call writes what it has made; null for
// none.
void* written_at(const std::optional<Place>& place, const Call& call);

// The size of what it copies, sets or allocates.
std::uint64_t bytes_of(const Call& call);

// What the program launches its kernel by.
const void* kernel_of(const Call& call);

// Records always have a name.
const char* kernel_name(Profiler* profiler, const Call& call);

// 0 for no context.
std::uint32_t context_number(Profiler* profiler, const void* context);

}  // namespace torchada::profiler
