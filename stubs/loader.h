// The dynamic loader, as the stubs use it.
#pragma once

#include <link.h>
#include <stddef.h>

namespace torchada {

// dlopen with RTLD_NOW | RTLD_LOCAL | `extra`. Marks this thread as being inside our dlopen: what a
// constructor's call back resolves meanwhile belongs to a library that is not fully constructed,
// and must not be shown to other threads.
void* open_library(const char* path, int extra = 0);

// Why the last open_library of this thread failed; never null.
const char* why_not_opened();

void* find_symbol(void* handle, const char* name);

// The file behind a handle of open_library; never null, valid as long as the library is loaded.
const char* path_of(void* handle);

// False for a copy of this library that dlmopen put into a namespace of its own: what it opens is
// opened again there, with a libc and thread state of its own.
bool in_base_namespace();

using VisitObject = int (*)(dl_phdr_info*, size_t, void*);
// dl_iterate_phdr.
void visit_objects(VisitObject visit, void* data);

}  // namespace torchada
