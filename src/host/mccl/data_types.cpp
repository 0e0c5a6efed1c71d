#include "src/host/mccl/data_types.h"

#include <cstdint>

namespace host_mccl {

std::optional<std::size_t> element_size(mcclDataType_t type) {
  switch (type) {
    case mcclInt8:
    case mcclUint8:
    case mcclFp8E4M3:
    case mcclFp8E5M2:
      return 1;
    case mcclFloat16:
    case mcclBfloat16:
      return 2;
    case mcclInt32:
    case mcclUint32:
    case mcclFloat32:
      return 4;
    case mcclInt64:
    case mcclUint64:
    case mcclFloat64:
      return 8;
    default:
      return std::nullopt;
  }
}

std::optional<std::size_t> byte_size(std::size_t count, mcclDataType_t type) {
  const auto size = element_size(type);
  if (!size || count > PTRDIFF_MAX / *size) return std::nullopt;
  return count * *size;
}

}  // namespace host_mccl
