// Functions that adapters in stubs/ and `through` rows call, by the names their rows list: MUSA's
// of the library's own backend or of the runtime, or exports of the library itself.
//
// MUSA's are reached through hidden trampolines of their own, so that opening MUSA has one path
// only; own exports through a second, hidden name of their trampoline, which nothing can interpose.
#pragma once

#include <string>
#include <vector>

#include "tables.h"

namespace torchada {

struct Call {
  std::string name;
  std::string library;               // The MUSA library; empty for an own export.
  const MusaSymbol* musa = nullptr;  // Null for an own export.
  const CudaSymbol* own = nullptr;   // Null otherwise.
};

// Neither `musa` nor `own` where nobody has the name in this output.
Call find_call(const Tables& tables, const Output& output, const std::string& name);

// All calls of an output, sorted by name: MUSA's, and own exports.
std::vector<Call> musa_calls(const Tables& tables, const Output& output);
std::vector<Call> own_calls(const Tables& tables, const Output& output);

// C type of a parameter of an own export: enums as int, handles and what pointers lead to as void.
std::string erased_cuda(const Tables& tables, const Output& output, const std::string& spelled,
                        const Place& place);

// What calls of MUSA's pass by value: numbers of enumerations, structs as bytes. For facts.h.
std::string declare_values(const Tables& tables, const Output& output);

// Declarations of all of them, for facts.h: MUSA's by their names, own exports as
// torchada_own_NAME.
std::string declare_calls(const Tables& tables, const Output& output);

}  // namespace torchada
