// Where the calling convention of x86-64 puts arguments, written down by hand: the witness against
// libffi and the prototype tables.
#pragma once

#include <cstdint>
#include <vector>

#include "listed.h"
#include "recording.h"

namespace tracing {

// A member of a struct that is passed by value.
struct StructMember {
  const char* name;
  const char* kind;  // As in Shape, or "text".
  std::size_t offset, size;
  const char* type = "";  // Of an enumeration.
};

struct ByValue {
  const char* type;
  std::size_t size;
  const char* passed;  // One letter for each eight bytes: i(nteger) or v(ector); "m" in memory.
  std::size_t alignment;
  std::vector<StructMember> members;
};

// Null for a type that nothing passes by value.
const ByValue* by_value(const std::string& type);

// The words in which arguments lie, one list for each parameter.
using Words = std::vector<std::uint64_t*>;
struct Placed {
  std::vector<Words> words;
  bool fits = true;  // On the stack that a test provides.
};
Placed place(const Function& function, recording_arguments* arguments);

}  // namespace tracing
