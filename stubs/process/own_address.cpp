#include "stubs/process/own_address.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "stubs/system/loader.h"

namespace torchada {
namespace {

struct Search {
  uintptr_t address;
  bool found;
};

}  // namespace

const char* note_in(const char* at, const char* end, size_t align, size_t* size) {
  align = align == 8 ? 8 : 4;
  while (end - at >= static_cast<ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
    const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
    const char* name = at + sizeof *note;
    const size_t name_size = (note->n_namesz + align - 1) & ~(align - 1);
    const size_t desc_size = (note->n_descsz + align - 1) & ~(align - 1);
    if (note->n_namesz == 9 && end - name >= 9 && memcmp(name, "torchada", 9) == 0) {
      *size = note->n_descsz;
      return name + name_size;
    }
    at = name + name_size + desc_size;
  }
  return nullptr;
}

const char* note_of(const dl_phdr_info* object, size_t* size) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    if (const char* note = note_in(at, at + segment.p_memsz, segment.p_align, size)) return note;
  }
  return nullptr;
}

bool contains(const dl_phdr_info* object, uintptr_t address) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    if (address - (object->dlpi_addr + segment.p_vaddr) < segment.p_memsz) return true;
  }
  return false;
}

namespace {

int visit(dl_phdr_info* object, size_t, void* data) {
  auto* search = static_cast<Search*>(data);
  if (!contains(object, search->address)) return 0;
  search->found = is_replacement(object);
  return 1;
}

struct PlaceSearch {
  uintptr_t address;
  uintptr_t start;
  MappedPath* path;
};

int visit_place(dl_phdr_info* object, size_t, void* data) {
  auto* search = static_cast<PlaceSearch*>(data);
  if (!contains(object, search->address)) return 0;
  search->start = object->dlpi_addr;
  if (object->dlpi_name) *search->path << object->dlpi_name;
  return 1;
}

}  // namespace

bool in_replacement(const void* address) {
  Search search{reinterpret_cast<uintptr_t>(address), false};
  visit_objects(visit, &search);
  return search.found;
}

uintptr_t object_of(const void* address, MappedPath* path) {
  PlaceSearch search{reinterpret_cast<uintptr_t>(address), 0, path};
  visit_objects(visit_place, &search);
  return search.start;
}

bool is_replacement(const dl_phdr_info* object) {
  size_t size = 0;
  return note_of(object, &size) != nullptr;
}

}  // namespace torchada
