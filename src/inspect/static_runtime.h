// Whether a file has NVIDIA's static CUDA runtime in it, whose calls nobody can redirect.
#pragma once

#include <string_view>

#include "elf_file.h"

namespace torchada {

// By what the runtime leaves also in stripped files: the name of the driver that it opens, its
// table of error names, and the name of its shared memory, which is private to it. `bytes` are the
// file's. False for what is linked with the shared runtime, and for that itself.
bool has_static_runtime(const ElfFile& file, std::string_view bytes);

}  // namespace torchada
