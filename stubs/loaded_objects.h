// What is in the process already.
#pragma once

#include "text.h"

namespace torchada {

// The path of a loaded object whose file name is STEM.so*, e.g. "libmusart"; false if there is
// none.
bool find_loaded(const char* stem, Path* path);

// One line each, with both paths, for what makes trouble later: a second MUSA runtime beside the
// opened one, and NVIDIA's own library of the name we stand in for.
void report_rivals(const char* opened_runtime);

}  // namespace torchada
