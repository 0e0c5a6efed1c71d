// The symbol tables of the MUSA libraries that are open for good.
#pragma once

#include "stubs/system/symbol_table.h"
#include "stubs/table.h"

namespace torchada {

// Keeps the table of a constructed library that will never be closed and is none of ours. Any
// thread may call this at any time: every one keeps the same.
void keep_table(BackendLibrary library, const SymbolTable& table);

// The function `name` in `library` itself. Null if the table is not kept or does not have it; then
// the loader knows. Never one of ours. `hash` is as in Target.
void* find_in_kept_table(BackendLibrary library, const char* name, uint32_t hash);

}  // namespace torchada
