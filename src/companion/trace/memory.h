// Reads what a pointer of the program points at, which may be invalid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace torchada::trace {

// Copies `size` bytes at `address` of this process to `to`. False if they cannot be read. Never
// faults.
bool read_memory(std::uint64_t address, void* to, std::size_t size);

// Reads the text at `address`, at most `bound` bytes. False if none can be read; sets `is_cut` if
// the text goes on.
bool read_text(std::uint64_t address, std::size_t bound, std::string* text, bool* is_cut);

}  // namespace torchada::trace
