// Names of the kernels that a program registers with CUDA's runtime, from what the host compiler
// left in the file. Device code is never looked at.
//
// nvcc (seen with 11.7, 12.4 and 13.0) passes each name to __cudaRegisterFunction() as a string, so
// it is a text in the file's data, stripped or not. It is mangled and tells the parameters' types,
// except for extern "C". Only the kernel's host stub, a symbol that strip removes, tells a name
// that is not mangled from any other text.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "src/inspect/elf_file.h"

namespace torchada {

using NameSet = std::set<std::string, std::less<>>;

struct RegisteredKernel {
  std::string name;       // As registered.
  std::string signature;  // As in the source, with the parameters' types if they are known.
  // The sources that have it, as far as host stubs tell: their base names without the ending.
  NameSet sources;
};

struct RegisteredKernels {
  std::vector<RegisteredKernel> list;  // Sorted by signature.
  bool has_stubs = false;  // Otherwise those with extern "C" are missing, unless `known` has them.
  NameSet telling;         // Names of kernels and variables in which nvcc may name a source.
};

// For a file that imports __cudaRegisterFunction. `known`: names that are not mangled; one that is
// a text of the file is taken for a kernel. Throws ElfError.
RegisteredKernels registered_kernels(const ElfFile& file, std::string_view bytes,
                                     const NameSet& known);

// The kernel whose host stub this symbol is, mangled even if the kernel is declared extern "C".
// Empty if it is not a stub. nvcc 13: _Z26__device_stub__Z7add_onePiPi, older ones for extern "C"
// and clang: _Z22__device_stub__add_onePi, both for _Z7add_onePi.
std::string kernel_of_stub(std::string_view symbol);

// The base name, without its ending, of the source whose host code nvcc has compiled as `file`.
// Empty if it is not nvcc's: tmpxft_000033e2_00000000-6_a.cudafe1.cpp for a.cu.
std::string source_of_host_code(std::string_view file);

// The name as in the source if it can be demangled, otherwise unchanged.
std::string demangled(const std::string& name);

}  // namespace torchada
