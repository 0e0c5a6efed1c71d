#pragma once

#include <mccl.h>

#include <cstddef>
#include <optional>

namespace host_mccl {

// Bytes of one element; nothing for an unknown type.
std::optional<std::size_t> element_size(mcclDataType_t type);

// Bytes of `count` elements; nothing for an unknown type or an amount that overflows.
std::optional<std::size_t> byte_size(std::size_t count, mcclDataType_t type);

}  // namespace host_mccl
