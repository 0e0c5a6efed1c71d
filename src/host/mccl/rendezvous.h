// The messages by which ranks find each other.
//
// A rank connects to the process that made the id and sends a Claim. When all ranks have come, each
// gets an Answer. If that is kWelcome, descriptors follow, each with a byte kDescriptor: the memory
// that all share, if there are others, and a connection to each of them, in the order of ranks. A
// rank that has taken them sends kConnected. When all have, each gets kBegin and closes the
// connection. If a rank goes away before, the others get kBroken instead, at any time.
#pragma once

#include <cstdint>

#include "src/host/mccl/network.h"
#include "src/host/mccl/unique_id.h"

namespace host_mccl {

constexpr std::uint64_t kMessageMagic = 0x4d43434c68656c6dU;
constexpr char kDescriptor = 'D';
constexpr char kConnected = 'C';
constexpr char kBegin = 'B';
constexpr char kBroken = 'X';
constexpr char kStarved = 'N';  // as kBroken: the process that made the id has no free descriptor

struct Claim {
  std::uint64_t magic;
  Token token;
  std::int32_t ranks;
  std::int32_t rank;
};

enum class Verdict : std::uint32_t {
  kWelcome = 1,
  kUnknownId,
  kRankTaken,
  kOtherNumberOfRanks,
  kRankGone,
  kRankTwice,  // for the other ranks of the id, as the next two
  kRanksDisagree,
  kNoDescriptor,
};

struct Answer {
  std::uint64_t magic;
  Verdict verdict;
  std::uint32_t reserved;
};

}  // namespace host_mccl
