// The names of the kernels in an image of device code that was made for MUSA or for the CPU
// stand-in. Nothing of it is loaded.
//
// MUSA: the image for one architecture is an ELF file of its own machine, 253, whose symbol table
// has each kernel as a global function (zml/xla at c1f3ed25, xla/tools/musa_llvm_bridge/
// mubin_validator.cc; at 5d8c97a0, xla/stream_executor/musa/MUSA_ABI.md). mcc, which is clang 14,
// puts such files into a bundle of clang's offload bundler (MooreThreads/julia-musa at 0d181d34,
// doc/src/devdocs/reviews/musa-s4-build-frontier-independent-review.md), which compresses nothing
// in that version. No image was available here.
#pragma once

#include <string>
#include <string_view>

#include "src/inspect/kernel_names.h"

namespace torchada {

struct KernelImage {
  NameSet kernels;             // As in the image's tables.
  bool tells_sources = false;  // With internal linkage, a kernel's name ends with @ and its source.
  std::string fault;           // Why they cannot be read. Empty if they were.
};

// `bytes`: the content of the file.
KernelImage read_kernel_image(std::string_view bytes);

}  // namespace torchada
