#include "stubs/resolving/kept_tables.h"

#include <atomic>

#include "src/shared/symbol_hash.h"
#include "stubs/system/symbol_table.h"

namespace torchada {
namespace {

struct KeptTable {
  std::atomic<uintptr_t> base{0};
  std::atomic<const ElfW(Sym)*> symbols{nullptr};
  std::atomic<const char*> strings{nullptr};
  std::atomic<const ElfW(Versym)*> versions{nullptr};
  std::atomic<const uint32_t*> hash{nullptr};  // Last: whoever sees it sees the rest.
};
KeptTable tables[static_cast<int>(BackendLibrary::kCount)];

}  // namespace

void keep_table(BackendLibrary library, const SymbolTable& table) {
  KeptTable& kept = tables[static_cast<int>(library)];
  kept.base.store(table.base, std::memory_order_relaxed);
  kept.symbols.store(table.symbols, std::memory_order_relaxed);
  kept.strings.store(table.strings, std::memory_order_relaxed);
  kept.versions.store(table.versions, std::memory_order_relaxed);
  kept.hash.store(table.hash, std::memory_order_release);
}

void* find_in_kept_table(BackendLibrary library, const char* name, uint32_t hash) {
  const KeptTable& kept = tables[static_cast<int>(library)];
  SymbolTable table;
  table.hash = kept.hash.load(std::memory_order_acquire);
  if (!table.hash) return nullptr;
  table.base = kept.base.load(std::memory_order_relaxed);
  table.symbols = kept.symbols.load(std::memory_order_relaxed);
  table.strings = kept.strings.load(std::memory_order_relaxed);
  table.versions = kept.versions.load(std::memory_order_relaxed);
  return find_function(table, name, hash != 0 ? hash : symbol_hash(name));
}

}  // namespace torchada
