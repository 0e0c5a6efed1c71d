#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace host_mccl {

enum class OperationKind : std::uint32_t {
  kAllReduce = 1,
  kBroadcast,
  kReduce,
  kAllGather,
  kReduceScatter,
  kAllToAll,
  kAllToAllV,
  kTransfer,
};

// What a rank says about its operation before it sends data. Ranks that want different operations
// find out here, instead of waiting forever or mixing up data.
struct Announcement {
  OperationKind kind;
  std::int32_t type;
  std::uint64_t sequence;
  std::uint64_t count;
  std::int32_t operation;
  std::int32_t root;
  std::array<std::byte, 8> scalar;  // may differ between ranks
  std::array<std::byte, 24> reserved;
};
static_assert(sizeof(Announcement) == 64);

bool agree(const Announcement& left, const Announcement& right);
std::string text_of(const Announcement& announcement);

}  // namespace host_mccl
