// Whether a file contains NVIDIA's static CUDA runtime, whose calls cannot be redirected.
#pragma once

#include <string_view>

#include "src/inspect/elf_file.h"

namespace torchada {

// Looks for what the runtime leaves even in stripped files: the name of the driver that it opens,
// its table of error names, and the name of its shared memory, which only it uses. `bytes` is the
// content of the file. False for files linked with the shared runtime, and for that runtime itself.
bool has_static_runtime(const ElfFile& file, std::string_view bytes);

}  // namespace torchada
