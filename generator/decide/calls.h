// Functions that adapters in stubs/ and `delegated` rows call, by the names that their rows and
// `kernel_calls` list: MUSA functions of the library's own backend or of another that it may call,
// or exports of the library itself.
//
// MUSA functions are called through hidden trampolines, so that there is only one path that opens
// MUSA. Own exports are called through a second, hidden name of their trampoline, which nothing can
// interpose.
#pragma once

#include <string>
#include <vector>

#include "generator/tables/tables.h"

namespace torchada {

struct Call {
  std::string name;
  std::string library;               // The MUSA library; empty for an own export.
  const MusaSymbol* musa = nullptr;  // Null for an own export.
  const CudaSymbol* own = nullptr;   // Null otherwise.
};

// Sets neither `musa` nor `own` if nothing has that name in this output.
Call find_call(const Tables& tables, const Output& output, const std::string& name);

// All calls of an output, sorted by name: MUSA's, and own exports.
std::vector<Call> musa_calls(const Tables& tables, const Output& output);
std::vector<Call> own_calls(const Tables& tables, const Output& output);

// C type of a parameter of an own export, with int for enums and void for handles and pointees.
std::string erased_cuda(const Tables& tables, const Output& output, const std::string& spelled,
                        const Place& place);

// What calls to MUSA pass by value: numbers of enumerations, and structs as bytes. For facts.h.
std::string declare_values(const Tables& tables, const Output& output);

// Declarations of all calls, for facts.h: MUSA functions by their names, own exports as
// torchada_own_NAME.
std::string declare_calls(const Tables& tables, const Output& output);

}  // namespace torchada
