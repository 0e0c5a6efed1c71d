// Inline assembly in C++ sources: the instructions whose meaning the PTX manual documents and that
// public sources write by hand.
#pragma once

#include <string>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {

// Replaces it by code. `functions_file`: the bitcode of device/assembly.cu, which has a function
// for each instruction that computes something. What is in no table becomes a call that
// find_refused() tells of. `warp_size`: on 128 threads, what names lanes has no meaning that is
// published.
void expand_assembly(DeviceModule* code, const std::string& functions_file, int warp_size);

}  // namespace kernels
