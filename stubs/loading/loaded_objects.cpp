#include "stubs/loading/loaded_objects.h"

#include <string.h>

#include "stubs/process/own_address.h"
#include "stubs/reporting/log.h"
#include "stubs/system/loader.h"
#include "stubs/system/mapped_path.h"
#include "stubs/system/symbol_table.h"
#include "stubs/table.h"

namespace torchada {
namespace {

const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Whether the file name is STEM.so*, as in "libcudart.so.12". With `hashed` also STEM-*.so*,
// because wheels rename libraries to names like "libcudart-1a2b3c4d.so.12".
bool has_stem(const char* name, const char* stem, size_t length, bool hashed) {
  if (strncmp(name, stem, length) != 0) return false;
  name += length;
  if (strncmp(name, ".so", 3) == 0) return true;
  return hashed && *name == '-' && strstr(name, ".so");
}

struct LoadedSearch {
  const char* stem;
  MappedPath* found;
};

int visit_loaded(dl_phdr_info* object, size_t, void* data) {
  auto* search = static_cast<LoadedSearch*>(data);
  const char* name = object->dlpi_name;
  if (!name || !has_stem(base_name(name), search->stem, strlen(search->stem), false)) return 0;
  *search->found << name;
  return 1;
}

struct RivalSearch {
  const char* opened_runtime;
  uintptr_t address;
  bool is_in_replacement;
  MappedPath own, runtime, real;
};

int visit_rival(dl_phdr_info* object, size_t, void* data) {
  auto* search = static_cast<RivalSearch*>(data);
  if (contains(object, search->address)) search->is_in_replacement = is_replacement(object);
  const char* name = object->dlpi_name;
  if (!name) return 0;
  const char* file = base_name(name);
  const char* runtime = torchada_backend_table.names[static_cast<int>(kRuntimeLibrary)];
  if (has_stem(file, runtime, strlen(runtime), false)) {
    if (strcmp(name, search->opened_runtime) != 0 && search->runtime.size() == 0) {
      search->runtime << name;
    }
    return 0;
  }
  const char* soname = torchada_library.soname;
  const size_t stem = static_cast<size_t>(strstr(soname, ".so") - soname);
  if (!has_stem(file, soname, stem, true)) return 0;
  MappedPath& which = is_replacement(object) ? search->own : search->real;
  if (which.size() == 0) which << name;
  return 0;
}

TORCHADA_APART void say_two_runtimes(const char* used, const char* other) {
  Line line;
  line << "two MUSA runtimes are in this process: " << used << " is used, " << other
       << " is loaded too; point LD_LIBRARY_PATH and MUSA_HOME to the same MUSA";
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void say_two_libraries(const char* own, const char* real) {
  Line line;
  line << "two libraries of this name are in this process: " << own << " is torchada's, " << real
       << " is not; start the program with torchada run --via=audit";
  log(LogLevel::kWarn, line);
}

}  // namespace

bool find_loaded(const char* stem, MappedPath* path) {
  LoadedSearch search{stem, path};
  visit_objects(visit_loaded, &search);
  return path->size() != 0 && !path->truncated();
}

const char* needed_by(const void* handle, const char* stem) {
  const auto* map = static_cast<const link_map*>(handle);
  const uintptr_t strings = dynamic_address(handle, DT_STRTAB);
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    const char* name = reinterpret_cast<const char*>(strings + entry->d_un.d_val);
    if (has_stem(base_name(name), stem, strlen(stem), false)) return name;
  }
  return nullptr;
}

bool report_rivals(const char* opened_runtime, const void* address) {
  RivalSearch search{opened_runtime, reinterpret_cast<uintptr_t>(address), false, {}, {}, {}};
  visit_objects(visit_rival, &search);
  if (search.runtime.size() != 0) say_two_runtimes(opened_runtime, search.runtime.c_str());
  if (search.real.size() != 0) say_two_libraries(search.own.c_str(), search.real.c_str());
  return search.is_in_replacement;
}

}  // namespace torchada
