// The messages by which ranks find each other.
//
// Whoever accepts a connection sends a Challenge. The other side answers with a Claim, which proves
// that it knows the id, and gets a Reply, which proves the same in the other direction. A refused
// Claim gets a Reply without a proof, and the connection ends.
//
// A rank connects to the process that made the id. When all ranks have come, each gets an Answer
// that is kWelcome, followed by a table with an Entry for each rank. A rank then connects to those
// below it and accepts those above it. When it has reached all others, it sends kConnected. When
// all have, each gets kBegin and closes the connection. If a rank goes away before, the others get
// kBroken instead, at any time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/host/mccl/network.h"
#include "src/host/mccl/proof.h"
#include "src/host/mccl/unique_id.h"

namespace host_mccl {

constexpr std::uint64_t kMessageMagic = 0x4d43434c68656c6cU;
constexpr char kConnected = 'C';
constexpr char kBegin = 'B';
constexpr char kBroken = 'X';

struct Entry {
  std::uint64_t host;
  NetAddress address;  // where the rank listens for others; family 0: it does not
  std::array<char, 64> local_name;
};

// What a connection is for.
enum class Purpose : std::uint32_t {
  kMeeting = 1,  // from a rank to the process that made the id
  kControl,      // between two ranks
  kData,         // between two ranks of different hosts: one for each kind of traffic
};

struct Challenge {
  std::uint64_t magic;
  Nonce nonce;
};

struct Claim {
  std::uint64_t magic;
  Token token;
  Nonce nonce;  // for the proof of the other side
  Purpose purpose;
  std::int32_t ranks;
  std::int32_t rank;
  std::uint32_t channel;  // for kData: a ChannelKind
  Entry entry;            // for kMeeting
  Proof proof;            // vouches for all that stands before it
};

enum class Verdict : std::uint32_t {
  kWelcome = 1,
  kUnknownId,
  kRankTaken,
  kOtherNumberOfRanks,
  kRankGone,
  kNotProven,
  kRankTwice,  // for the other ranks of the id, as the next two
  kRanksDisagree,
  kNoDescriptor,
};

struct Reply {
  std::uint64_t magic;
  Verdict verdict;
  std::uint32_t reserved;
  Proof proof;
};

struct Answer {
  std::uint64_t magic;
  Verdict verdict;
  std::uint32_t reserved;
};

// What the side that connects proves, and the side that accepts.
Proof proof_of(const Claim& claim, const Challenge& challenge, const Secret& secret);
Proof proof_of_acceptance(const Claim& claim, const Challenge& challenge, const Secret& secret);

}  // namespace host_mccl
