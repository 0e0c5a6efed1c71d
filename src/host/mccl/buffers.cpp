#include "src/host/mccl/buffers.h"

#include <musa_runtime_api.h>

#include "src/host/mccl/errors.h"

namespace host_mccl {
namespace {

bool is_known(const void* byte) {
  musaPointerAttributes found{};
  return musaPointerGetAttributes(&found, byte) == musaSuccess &&
         found.type != musaMemoryTypeUnregistered;
}

}  // namespace

mcclResult_t check_buffer(const char* caller, const char* role, const void* buffer,
                          std::size_t bytes) {
  if (bytes == 0) return mcclSuccess;
  if (buffer == nullptr) return fail(mcclInvalidArgument, "%s: %s is null", caller, role);
  const auto* const first = static_cast<const std::byte*>(buffer);
  if (is_known(first) && is_known(first + (bytes - 1))) return mcclSuccess;
  return fail(mcclInvalidArgument,
              "%s: %s=%p: expected %zu bytes that musaMalloc or a similar function gave and that "
              "were not freed",
              caller, role, buffer, bytes);
}

}  // namespace host_mccl
