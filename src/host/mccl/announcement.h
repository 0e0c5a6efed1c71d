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

// What a rank says of its operation before any data of it. Ranks that do not want the same find out
// here, instead of waiting for ever or mixing data up.
struct Announcement {
  OperationKind kind;
  std::int32_t type;
  std::uint64_t sequence;
  std::uint64_t count;
  std::int32_t operation;
  std::int32_t root;
  std::array<std::byte, 8> scalar;  // may differ from rank to rank
  std::array<std::byte, 24> reserved;
};
static_assert(sizeof(Announcement) == 64);

bool agree(const Announcement& left, const Announcement& right);
std::string text_of(const Announcement& announcement);

}  // namespace host_mccl
