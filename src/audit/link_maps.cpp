#include "src/audit/link_maps.h"

#include <string.h>

namespace torchada {
namespace {

const link_map* first_map(const link_map* map) {
  while (map && map->l_prev) map = map->l_prev;
  return map;
}

const char* file_of(const link_map* map) { return map->l_name ? map->l_name : ""; }

// The DT_NEEDED entries of an object.
class NeededNames {
 public:
  explicit NeededNames(const link_map* object) : entry_(object ? object->l_ld : nullptr) {
    ElfW(Addr) strings = 0;
    for (const ElfW(Dyn)* entry = entry_; entry && entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
    }
    // The loader relocates the entry in place, unless the section is read-only.
    if (strings && strings < object->l_addr) strings += object->l_addr;
    if (!strings) entry_ = nullptr;
    strings_ = reinterpret_cast<const char*>(strings);
  }

  // Null after the last one.
  const char* next() {
    for (; entry_ && entry_->d_tag != DT_NULL; ++entry_) {
      if (entry_->d_tag == DT_NEEDED) return strings_ + (entry_++)->d_un.d_val;
    }
    return nullptr;
  }

 private:
  const ElfW(Dyn) * entry_;
  const char* strings_ = nullptr;
};

// Whether a value of LD_PRELOAD has the file among its elements.
bool lists(const char* preloads, const char* file) {
  const size_t length = strlen(file);
  while (preloads && *preloads) {
    const size_t size = strcspn(preloads, ": ");
    if (size == length && memcmp(preloads, file, size) == 0) return true;
    preloads += size;
    preloads += strspn(preloads, ": ");
  }
  return false;
}

bool is_needed(const link_map* from, const char* name) {
  for (const link_map* map = first_map(from); map; map = map->l_next) {
    if (needs(map, name)) return true;
  }
  return false;
}

}  // namespace

bool is_mapped(const link_map* from, const char* path) {
  for (const link_map* map = first_map(from); map; map = map->l_next) {
    if (strcmp(file_of(map), path) == 0) return true;
  }
  return false;
}

BoundMajors::BoundMajors(const link_map* from, const OwnLibraries& own, const char* preloads) {
  constexpr int kMost = sizeof names_ / sizeof names_[0];
  for (const link_map* map = first_map(from); map && count_ < kMost; map = map->l_next) {
    LibraryName name;
    if (!parse_library_name(base_name(file_of(map)), &name)) continue;
    if (!name.stem_is("libcudart") || !name.version || has(name)) continue;
    const bool torchadas_choice = own.contains(file_of(map)) && lists(preloads, file_of(map));
    if (!torchadas_choice || is_needed(from, name.stem)) names_[count_++] = name;
  }
}

bool BoundMajors::has(const LibraryName& name) const {
  for (int i = 0; i < count_; ++i) {
    if (names_[i].same_major(name)) return true;
  }
  return false;
}

bool needs(const link_map* object, const char* name) {
  for (NeededNames names(object); const char* needed = names.next();) {
    if (strcmp(needed, name) == 0) return true;
  }
  return false;
}

bool needs_any(const link_map* object, bool (*wanted)(const char* name)) {
  for (NeededNames names(object); const char* needed = names.next();) {
    if (wanted(needed)) return true;
  }
  return false;
}

}  // namespace torchada
