// Inline assembly in C++ sources: the instructions whose meaning the PTX manual documents and that
// public sources write by hand (lanes, shuffles, bits of words, loads and stores with a hint).
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <string>

namespace kernels {

// The first instruction that cannot be made; empty if all can. `warp_size`: on 128 threads, what
// names lanes has no meaning that is published.
std::string unknown_instruction(const llvm::CallBase& assembly, int warp_size);

// Replaces it by code. To be called where unknown_instruction() finds none.
void expand_assembly(llvm::CallBase* assembly);

}  // namespace kernels
