// Names of kernels, from where they can be read without decompressing or disassembling anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchada {

// Of an image that is an ELF file and not compressed: its symbols that the device starts. As
// mangled. Empty where the image cannot be read.
std::vector<std::string> kernels_of_image(std::string_view image);

// The kernel whose host stub this symbol is; empty where it is none. As mangled.
// _Z26__device_stub__Z7add_onePiPi: _Z7add_onePi
std::string kernel_of_stub(std::string_view symbol);

// As in the source, where the name can be demangled.
std::string demangled(const std::string& name);

}  // namespace torchada
