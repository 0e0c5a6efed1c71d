#include "src/host/mublasLt/attributes.h"

#include <algorithm>

namespace host_mublaslt {

Attributes::Attributes(const std::vector<Attribute>& known) {
  for (const Attribute& attribute : known) {
    Slot slot{attribute.name, attribute.size, {}};
    std::memcpy(slot.bytes.data(), &attribute.initial, attribute.size);  // little endian
    slots_.push_back(slot);
  }
}

mublasStatus_t Attributes::set(int name, const void* buffer, std::size_t size) {
  const std::lock_guard lock(mutex_);
  const auto slot = std::find_if(slots_.begin(), slots_.end(),
                                 [&](const Slot& candidate) { return candidate.name == name; });
  if (slot == slots_.end() || buffer == nullptr || size != slot->size) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  std::memcpy(slot->bytes.data(), buffer, size);
  return MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t Attributes::get(int name, void* buffer, std::size_t size,
                               std::size_t* written) const {
  const std::lock_guard lock(mutex_);
  const auto slot = std::find_if(slots_.begin(), slots_.end(),
                                 [&](const Slot& candidate) { return candidate.name == name; });
  if (slot == slots_.end()) return MUBLAS_STATUS_INVALID_VALUE;
  return give(slot->bytes.data(), slot->size, buffer, size, written);
}

mublasStatus_t give(const void* value, std::size_t value_size, void* buffer, std::size_t size,
                    std::size_t* written) {
  if (size == 0) {
    if (written == nullptr) return MUBLAS_STATUS_INVALID_VALUE;
    *written = value_size;
    return MUBLAS_STATUS_SUCCESS;
  }
  if (buffer == nullptr || size < value_size) return MUBLAS_STATUS_INVALID_VALUE;
  if (value_size != 0) std::memcpy(buffer, value, value_size);
  if (written != nullptr) *written = value_size;
  return MUBLAS_STATUS_SUCCESS;
}

}  // namespace host_mublaslt
