// What ranks and the process that made their id say to each other.
//
// A rank connects, sends Hello and gets Answer; when all ranks are there, the answer is
// kWelcome and a table with an Entry for each rank follows. Once a rank has reached all others it
// sends kConnected; when all have, each gets kBegin. kBroken comes instead, at any time, when a
// rank went away.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "network.h"
#include "unique_id.h"

namespace host_mccl {

constexpr std::uint64_t kHelloMagic = 0x4d43434c68656c6cU;
constexpr char kConnected = 'C';
constexpr char kBegin = 'B';
constexpr char kBroken = 'X';

struct Entry {
  std::uint64_t host;
  NetAddress address;  // where the rank listens for others; family 0: nowhere
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
