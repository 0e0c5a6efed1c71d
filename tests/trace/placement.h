// Where the calling convention of x86-64 puts arguments, written by hand. It checks libffi and the
// prototype tables.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/recording/recording.h"
#include "tests/trace/listed.h"

namespace tracing {

// A member of a struct that is passed by value.
struct StructMember {
  const char* name;
  const char* kind;  // As in Shape, or "text".
  std::size_t offset, size;
  const char* type = "";  // For an enumeration.
};

struct ByValue {
  const char* type;
  std::size_t size;
  const char* passed;  // One letter per eight bytes: i(nteger) or v(ector); "m" means in memory.
  std::size_t alignment;
  std::vector<StructMember> members;
};

// Null for a type that no function passes by value.
const ByValue* by_value(const std::string& type);

// The words that hold the arguments, one list for each parameter.
using Words = std::vector<std::uint64_t*>;
struct Placed {
  std::vector<Words> words;
  bool fits = true;  // Whether they fit on the test's stack.
};
Placed place(const Function& function, recording_arguments* arguments);

}  // namespace tracing
