// Names of kernels, from places that need neither decompressing nor disassembling.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchada {

// For an uncompressed image that is an ELF file: its symbols that the host can launch, mangled.
// Empty if the image cannot be read.
std::vector<std::string> kernels_of_image(std::string_view image);

// The mangled name of the kernel whose host stub this symbol is; empty if it is not a stub.
// _Z26__device_stub__Z7add_onePiPi: _Z7add_onePi
std::string kernel_of_stub(std::string_view symbol);

// The name as in the source if it can be demangled, otherwise unchanged.
std::string demangled(const std::string& name);

}  // namespace torchada
