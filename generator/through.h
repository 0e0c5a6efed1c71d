// `through` rows: exports whose work another export of the same library does, given the same
// arguments otherwise. The old interface of cuBLAS is one: no handle, letters instead of
// enumerators, numbers by value, results returned, and errors kept for cublasGetError.
#pragma once

#include <string>
#include <vector>

#include "tables.h"

namespace torchada {

// Where one argument of the target comes from.
struct ThroughArgument {
  enum class Source {
    kHandle,     // The library's own handle of the current device.
    kParameter,  // Parameter `parameter` as it is,
    kAddress,    // its address,
    kLetter,     // or the enumerator of `enumeration` for which it stands.
    kResult,     // Where the target shall store what is returned.
  } source = Source::kParameter;
  std::size_t parameter = 0;
  std::string enumeration;
};

struct ThroughPlan {
  std::vector<ThroughArgument> arguments;  // One for each parameter of the target.
  bool has_handle = false;                 // Of its own: then its status is returned, not kept.
  bool in_place = false;  // One matrix is given as input and as output of the target.
};

// Throws TableError at `place` where the parameters do not correspond.
ThroughPlan plan_through(const Tables& tables, const Output& output, const Prototype& from,
                         const Prototype& target, const Place& place);

}  // namespace torchada
