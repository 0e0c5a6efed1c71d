#include "stubs/system/symbol_table.h"

#include <string.h>

namespace torchada {
namespace {

constexpr ElfW(Versym) kHiddenVersion = 0x8000;  // dlsym does not choose it without being asked.
constexpr ElfW(Versym) kLocalVersion = 0;

// DT_GNU_HASH begins with these words. The filter, the buckets and the chains follow.
struct HashHeader {
  uint32_t buckets;
  uint32_t first_symbol;  // Those before it are not listed.
  uint32_t filter_words;
  uint32_t filter_shift;
};

constexpr uintptr_t kPage = 4096;  // No smaller one exists.

bool may_read_word(const char* at) {
  return (reinterpret_cast<uintptr_t>(at) & (kPage - 1)) <= kPage - sizeof(uint64_t);
}

bool has_zero(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  return ((word - kOnes) & ~word & (kOnes << 7)) != 0;
}

// Most of the time of finding a function is spent here, so it compares words. A word may end beyond
// the text, but not beyond the text's page.
bool is_same(const char* a, const char* b) {
  while (may_read_word(a) && may_read_word(b)) {
    uint64_t one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    if (one != other || has_zero(one)) break;
    a += sizeof one;
    b += sizeof one;
  }
  return strcmp(a, b) == 0;
}

bool is_plain_function(const SymbolTable& table, uint32_t index) {
  const ElfW(Sym)& symbol = table.symbols[index];
  // SHN_ABS and other reserved sections do not count from the base.
  if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0 ||
      symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE) {
    return false;
  }
  if (!table.versions) return true;
  const ElfW(Versym) version = table.versions[index];
  return version != kLocalVersion && (version & kHiddenVersion) == 0;
}

}  // namespace

uintptr_t dynamic_address(const void* handle, int64_t tag) {
  const auto* map = static_cast<const link_map*>(handle);
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != tag) continue;
    const uintptr_t address = entry->d_un.d_ptr;
    // glibc turns the offset into an address, except where the section is read-only.
    return address < map->l_addr ? address + map->l_addr : address;
  }
  return 0;
}

SymbolTable symbol_table_of(const void* handle) {
  SymbolTable table;
  table.base = static_cast<const link_map*>(handle)->l_addr;
  table.symbols = reinterpret_cast<const ElfW(Sym)*>(dynamic_address(handle, DT_SYMTAB));
  table.strings = reinterpret_cast<const char*>(dynamic_address(handle, DT_STRTAB));
  table.hash = reinterpret_cast<const uint32_t*>(dynamic_address(handle, DT_GNU_HASH));
  table.versions = reinterpret_cast<const ElfW(Versym)*>(dynamic_address(handle, DT_VERSYM));
  return table;
}

// The filter is for names that are not there. Most that we ask for are.
void* find_function(const SymbolTable& table, const char* name, uint32_t hash) {
  if (!table.hash) return nullptr;
  HashHeader header;
  memcpy(&header, table.hash, sizeof header);
  const uint32_t* buckets = table.hash + sizeof header / sizeof(uint32_t) +
                            header.filter_words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t* chains = buckets + header.buckets;
  if (header.buckets == 0) return nullptr;
  uint32_t index = buckets[hash % header.buckets];
  if (index < header.first_symbol) return nullptr;
  for (;; ++index) {
    const uint32_t entry = chains[index - header.first_symbol];
    // The lowest bit of an entry marks the end of its chain.
    if ((entry | 1) == (hash | 1) && is_plain_function(table, index) &&
        is_same(table.strings + table.symbols[index].st_name, name)) {
      return reinterpret_cast<void*>(table.base + table.symbols[index].st_value);
    }
    if (entry & 1) return nullptr;
  }
}

}  // namespace torchada
