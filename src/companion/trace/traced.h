// One traced function at one address, and one call of it.
#pragma once

#include <ffi.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "src/companion/prototypes.h"

namespace torchada::trace {

struct AllocationRule;

// Each on its own cache line, so that threads that call different functions do not slow each other
// down.
struct alignas(64) Counters {
  std::atomic<std::uint64_t> calls{0}, errors{0}, nanoseconds{0}, longest{0};
};

// What to do with one parameter.
enum class Care : std::uint8_t {
  kNone,
  kBefore,       // Points at an input: read before the call.
  kAfter,        // Points at an output: read after a call that succeeded.
  kCallback,     // A function of the program: the callee gets one that records its calls.
  kCallbackOut,  // Points at where such a function is returned.
};

struct Traced {
  const char* library;  // SONAME.
  const FunctionPrototype* prototype;
  void* target;
  ffi_cif* interface;
  Counters* counters;
  const AllocationRule* allocation;  // Null for functions that neither allocate nor free.
  bool is_recorded;                  // Each call gets a record.
  bool needs_care;                   // Some parameter's care affects the call itself.
  bool returns_status;
  std::vector<Care> cares;  // By parameter.

  const char* name() const { return text_at(prototype->name); }
  const Member& parameter(std::uint32_t index) const {
    return prototype_members[prototype->first + index];
  }
  const ValueType& type_of(std::uint32_t index) const { return type_at(parameter(index).type); }
};

// A call that has ended.
struct Call {
  const Traced* traced;
  void* const* arguments;  // Address of each argument, by parameter.
  const void* result;      // Address of the result; null while the call has not ended.
  const std::vector<std::string>* before;  // Pointees before the call, by parameter; may be null.
  std::int64_t start, duration;            // Nanoseconds; CLOCK_MONOTONIC.
  unsigned depth;                          // Number of traced calls around it on this thread.
  bool failed;
};

// A function of the program that it passed to a traced call.
struct Callback {
  const Traced* giver;
  std::uint32_t parameter;  // Index among the giver's parameters.
  void* function;
  ffi_cif* interface;

  // Its type: `first` and `count` are its parameters, `target` is its return type.
  const ValueType& parameters() const { return giver->type_of(parameter); }
};

inline std::uint64_t word_at(const void* place) {
  return *static_cast<const std::uint64_t*>(place);
}

}  // namespace torchada::trace
