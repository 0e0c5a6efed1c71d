// The ELF reader, and everything else that check reads from an ELF file.
#include <cstddef>
#include <cstdint>

#include "src/inspect/elf_file.h"
#include "src/inspect/kernel_image.h"
#include "src/inspect/kernel_names.h"
#include "src/inspect/static_runtime.h"
#include "src/inspect/text_in_binary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const torchada::ElfFile file = torchada::read_elf("input", bytes);
    torchada::has_static_runtime(file, bytes);
    torchada::registered_kernels(file, bytes, {"add"});
  } catch (const torchada::ElfError&) {
    // Unreadable input is refused.
  }
  torchada::read_kernel_image(bytes);
  bool has_mark = false;
  torchada::library_strings(bytes, "/cudart", has_mark);
  torchada::has_string(bytes, "cudaMalloc");
  return 0;
}
