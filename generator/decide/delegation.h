// `delegated` rows: exports whose work another export of the same library does with the same
// arguments in another form. Functions in the thread's own stream are some; the old interface of
// cuBLAS is another: no handle, letters instead of enumerators, numbers by value, returned results,
// and errors kept for cublasGetError.
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
    kStream,     // Parameter `parameter`; the thread's own stream if it is null.
    kOwnStream,  // The thread's own stream.
    kConstant,   // `text`, which the row gives.
  } source = Source::kParameter;
  std::size_t parameter = 0;
  std::string text;  // The enumeration of kLetter, the C++ of kConstant.
};

// When the thread's own stream must have done its work: the target of a name in _ptds waits for
// another stream, or for none.
enum class OwnWait { kNone, kBefore, kAfter };

struct DelegationPlan {
  std::vector<DelegatedArgument> arguments;  // One for each parameter of the target.
  // Otherwise the caller passes a handle, if one is needed, and its status is returned, not kept.
  bool keeps_handle = false;
  OwnWait wait = OwnWait::kNone;
  bool in_place = false;  // One matrix is both input and output of the target.
};

// The export `name` to which a row of `symbol` delegates. Throws TableError if nothing can go
// through it.
const CudaSymbol& delegation_target(const Tables& tables, const Output& output,
                                    const CudaSymbol& symbol, const ForwardRow& row,
                                    const std::string& name);

// Throws TableError at the row's place if the parameters do not correspond.
DelegationPlan plan_delegation(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                               const CudaSymbol& target, const ForwardRow& row);

}  // namespace torchada
