// Whether a file contains NVIDIA's static CUDA runtime, whose calls cannot be redirected.
#pragma once

#include <string_view>

#include "src/inspect/elf_file.h"

namespace torchada {

// Nothing has the static runtime without both texts: the driver that it opens, and how the name of
// its shared memory begins.
constexpr std::string_view kDriverOfStaticRuntime = "libcuda.so.1";
constexpr std::string_view kMemoryOfStaticRuntime = "/cudart";

// Looks for what the runtime leaves even in stripped files: the name of the driver that it opens,
// its table of error names, and the name of its shared memory, which only it uses. `bytes` is the
// content of the file. False for files linked with the shared runtime, and for that runtime itself.
bool has_static_runtime(const ElfFile& file, std::string_view bytes);

// Whether it is worth to ask has_static_runtime() before anything else is read: looks only at the
// end of the data, where the runtime usually lies.
bool may_end_in_static_runtime(const ElfFile& file, std::string_view bytes);

}  // namespace torchada
