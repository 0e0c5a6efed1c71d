// One traced function at one address, and one call of it.
#pragma once

#include <ffi.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "prototypes.h"

namespace torchada::trace {

struct AllocationRule;

// On a cache line of its own: threads that call different functions do not disturb each other.
struct alignas(64) Counters {
  std::atomic<std::uint64_t> calls{0}, errors{0}, nanoseconds{0}, longest{0};
};

// What is done about one parameter.
enum class Care : std::uint8_t {
  kNone,
  kBefore,       // It points at what goes in: read before the call.
  kAfter,        // It points at what comes out: read after a call that succeeded.
  kCallback,     // A function of the program's: the callee gets one that records its calls.
  kCallbackOut,  // Points at where such a function comes out.
};

struct Traced {
  const char* library;  // SONAME.
  const FunctionPrototype* prototype;
  void* target;
  ffi_cif* interface;
  Counters* counters;
  const AllocationRule* allocation;  // Null for functions that neither allocate nor free.
  bool is_recorded;                  // Each call gets a record.
  bool needs_care;                   // A parameter has one that matters to the call itself.
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
  void* const* arguments;  // By parameter, where each lies.
  const void* result;      // Where it lies; null while the call has not ended.
  const std::vector<std::string>*
      before;                    // What went in behind pointers, by parameter; may be null.
  std::int64_t start, duration;  // Nanoseconds; CLOCK_MONOTONIC.
  unsigned depth;                // Traced calls around it on this thread.
  bool failed;
};

// A function of the program's that a traced call handed over.
struct Callback {
  const Traced* giver;
  std::uint32_t parameter;  // Of the giver.
  void* function;
  ffi_cif* interface;

  // Its type: `first` and `count` are its parameters, `target` is what it returns.
  const ValueType& parameters() const { return giver->type_of(parameter); }
};

inline std::uint64_t word_at(const void* place) {
  return *static_cast<const std::uint64_t*>(place);
}

}  // namespace torchada::trace
