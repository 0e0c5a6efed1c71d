// Writes values of C types as text and as JSON.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "src/companion/prototypes.h"

namespace torchada::trace {

using Buffer = fmt::memory_buffer;

enum class Style { kText, kJson };

void append(Buffer* out, std::string_view text);

// Writes a text in quotes. JSON: a byte that is not ASCII is written as the code point of that
// number.
void write_quoted(Buffer* out, Style style, std::string_view text);

// Writes the value of `type` at `bytes`, which must be readable.
void write_value(Buffer* out, Style style, const ValueType& type, const void* bytes);

// Writes what a pointer of type `type` points at. Writes nothing and returns false if that is
// unknown or cannot be read.
bool write_pointee(Buffer* out, Style style, const ValueType& type, std::uint64_t address);

// Whether there is something to show behind a pointer of this type.
bool has_pointee(const ValueType& type);

// Describes a code address as "module+0x12 name+0x3", as far as the loader knows it.
std::string place_of_code(std::uint64_t address);

}  // namespace torchada::trace
