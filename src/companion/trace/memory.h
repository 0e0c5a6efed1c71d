// Reading what a pointer of the program's points at, which may be nowhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace torchada::trace {

// Whether `size` bytes at `address` of this process could be copied to `to`. Never faults.
bool read_memory(std::uint64_t address, void* to, std::size_t size);

// The text at `address`, at most `bound` bytes of it. False where none can be read; `is_cut` tells
// that it goes on.
bool read_text(std::uint64_t address, std::size_t bound, std::string* text, bool* is_cut);

}  // namespace torchada::trace
