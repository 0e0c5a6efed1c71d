// The symbol table of a loaded library, read where it lies. dlsym takes the loader's lock. A signal
// handler that meets it in the middle must not, so every dlsym has to hold the signals: two system
// calls, which take longer than the search.
#pragma once

#include <elf.h>
#include <link.h>
#include <stdint.h>

namespace torchada {

// Valid while the library is loaded.
struct SymbolTable {
  uintptr_t base;  // What its addresses count from.
  const ElfW(Sym) * symbols;
  const char* strings;
  const uint32_t* hash;           // DT_GNU_HASH. Null: nothing can be found in this table.
  const ElfW(Versym) * versions;  // One per symbol; null if the library has no versions.
};

// The table of the library that open_library returned as `handle`. Needs no lock.
SymbolTable symbol_table_of(const void* handle);

// The function `name` that the library itself defines: what dlsym returns. Null if there is none,
// and where only the loader can decide: for indirect functions, for an older version of a symbol,
// and for what the library's own dependencies define. `hash` is the name's symbol_hash.
void* find_function(const SymbolTable& table, const char* name, uint32_t hash);

// The address in the entry `tag` of the library's dynamic section; 0 if it has none.
uintptr_t dynamic_address(const void* handle, int64_t tag);

}  // namespace torchada
