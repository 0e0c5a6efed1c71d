// Finds objects that are already loaded in the process.
#pragma once

#include "stubs/system/mapped_path.h"

namespace torchada {

// The path of a loaded object whose file name is STEM.so*, e.g. "libmusart". False if none is
// loaded.
bool find_loaded(const char* stem, MappedPath* path);

// The file name STEM.so* among those that the library of `handle` needs, or null. Valid while it is
// loaded.
const char* needed_by(const void* handle, const char* stem);

// Prints one line, with both paths, for each conflict that causes trouble later: a second MUSA
// runtime beside the opened one, or NVIDIA's own library under the name we stand in for.
// Returns whether `address` lies in a replacement library: one walk through the objects answers
// both.
bool report_rivals(const char* opened_runtime, const void* address);

}  // namespace torchada
