// The dynamic loader, as the stubs use it.
#pragma once

#include <link.h>
#include <stddef.h>

namespace torchada {

// dlopen with RTLD_NOW | RTLD_LOCAL | `extra`. Marks this thread as inside our dlopen: what a
// constructor's callback resolves meanwhile belongs to a library that is not fully constructed, and
// other threads must not see it. The caller holds the signals with handlers (signals_held.h). Null
// at once in a process that was cut off (unfinished.h).
void* open_library(const char* path, int extra = 0);

// Why the last open_library of this thread failed; never null.
const char* why_not_opened();

void* find_symbol(void* handle, const char* name);

// The file of a library that open_library opened; never null, valid while the library is loaded.
const char* path_of(void* handle);

// False for a copy of this library that dlmopen loaded into another namespace: everything it opens
// would be opened again there, with a separate libc and separate thread state.
bool in_base_namespace();

// In the order of the loader's list. Visits nothing in a process that was cut off.
using VisitObject = int (*)(dl_phdr_info*, size_t, void*);
void visit_objects(VisitObject visit, void* data);

}  // namespace torchada
