// `delegated` rows: exports whose work another export of the same library does with the same
// arguments in another form. The old interface of cuBLAS is one: no handle, letters instead of
// enumerators, numbers by value, returned results, and errors kept for cublasGetError.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

// Where one argument of the target comes from.
struct DelegatedArgument {
  enum class Source {
    kHandle,     // The handle of the current device, which the library keeps.
    kParameter,  // Parameter `parameter` as it is.
    kAddress,    // Its address.
    kLetter,     // The enumerator of `enumeration` for the letter in it.
    kResult,     // Memory for the result, which is then returned.
  } source = Source::kParameter;
  std::size_t parameter = 0;
  std::string enumeration;
};

struct DelegationPlan {
  std::vector<DelegatedArgument> arguments;  // One for each parameter of the target.
  // The caller passes a handle. Its status is then returned, not kept.
  bool has_handle = false;
  bool in_place = false;  // One matrix is both input and output of the target.
};

// Throws TableError at `place` if the parameters do not correspond.
DelegationPlan plan_delegation(const Tables& tables, const Output& output, const Prototype& from,
                               const Prototype& target, const Place& place);

}  // namespace torchada
