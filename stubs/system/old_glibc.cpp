// The way to libdl.so.2 and libpthread.so.0 of a glibc before 2.34, when the program has loaded
// neither, so that no dlopen is there. libc.so.6 has what these two call themselves.
#include <dlfcn.h>
#include <string.h>

#include "src/shared/symbol_hash.h"
#include "stubs/system/glibc_compat.h"
#include "stubs/system/loader.h"
#include "stubs/system/signals_held.h"
#include "stubs/system/symbol_table.h"
#include "stubs/system/unfinished.h"

namespace torchada {
namespace {

using Open = void* (*)(const char* file, int mode);
using Find = void* (*)(void* handle, const char* name);

constexpr int kMode = RTLD_NOW | static_cast<int>(0x80000000);  // As libdl.so.2 calls it.

struct Inside {
  Open open = nullptr;
  Find find = nullptr;
};

void* function_in(const SymbolTable& table, const char* name) {
  return find_function(table, name, symbol_hash(name));
}

int visit(dl_phdr_info* object, size_t, void* data) {
  const char* name = object->dlpi_name;
  const char* slash = name ? strrchr(name, '/') : nullptr;
  if (!slash || strcmp(slash + 1, "libc.so.6") != 0) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    link_map map{};
    map.l_addr = object->dlpi_addr;
    map.l_ld = reinterpret_cast<ElfW(Dyn)*>(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    const SymbolTable table = symbol_table_of(&map);
    auto* inside = static_cast<Inside*>(data);
    inside->open = reinterpret_cast<Open>(function_in(table, "__libc_dlopen_mode"));
    inside->find = reinterpret_cast<Find>(function_in(table, "__libc_dlsym"));
  }
  return 1;
}

}  // namespace

void* find_in_old_glibc(const char* library, const char* name, void** kept) {
  if (void* known = __atomic_load_n(kept, __ATOMIC_RELAXED)) return known;
  if (was_cut_off()) return nullptr;
  Inside inside;
  visit_objects(visit, &inside);
  if (!inside.open || !inside.find) return nullptr;
  const HandlersHeld held;
  const Unfinished unfinished;
  void* handle = inside.open(library, kMode);
  void* found = handle ? inside.find(handle, name) : nullptr;
  if (found) __atomic_store_n(kept, found, __ATOMIC_RELAXED);
  return found;
}

}  // namespace torchada
