#include "src/host/mccl/unique_id.h"

#include <cstring>

namespace host_mccl {
std::optional<UniqueId> contents_of(const mcclUniqueId& id) {
  UniqueId contents{};
  std::memcpy(&contents, &id, sizeof contents);
  if (contents.magic != kUniqueIdMagic) return std::nullopt;
  return contents;
}

std::string server_name(std::uint64_t server) {
  return "torchada-mccl-server-" + std::to_string(server);
}

}  // namespace host_mccl
