#pragma once

#include <mccl.h>

#include <cstddef>
#include <optional>

namespace host_mccl {

// Bytes of one element; nothing for a number that is no data type.
std::optional<std::size_t> element_size(mcclDataType_t type);

// Bytes of `count` elements; nothing when there is no such type or no such amount of memory.
std::optional<std::size_t> byte_size(std::size_t count, mcclDataType_t type);

}  // namespace host_mccl
