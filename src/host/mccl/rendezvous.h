// The messages between the ranks and the process that made their id.
//
// A rank connects, sends Hello and gets Answer. When all ranks have come, the answer is kWelcome,
// followed by a table with an Entry for each rank. A rank that has reached all others sends
// kConnected. When all have, each gets kBegin. If a rank goes away, the others get kBroken instead,
// at any time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/host/mccl/network.h"
#include "src/host/mccl/unique_id.h"

namespace host_mccl {

constexpr std::uint64_t kHelloMagic = 0x4d43434c68656c6cU;
constexpr char kConnected = 'C';
constexpr char kBegin = 'B';
constexpr char kBroken = 'X';

struct Entry {
  std::uint64_t host;
  NetAddress address;  // where the rank listens for others; family 0: it does not
  std::array<char, 64> local_name;
};

struct Hello {
  std::uint64_t magic;
  Token token;
  std::int32_t ranks;
  std::int32_t rank;
  Entry entry;
};

enum class Verdict : std::uint32_t {
  kWelcome = 1,
  kUnknownId,
  kRankTaken,
  kOtherNumberOfRanks,
  kRankGone,
};

struct Answer {
  std::uint64_t magic;
  Verdict verdict;
  std::uint32_t reserved;
};

}  // namespace host_mccl
