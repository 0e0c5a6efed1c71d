#pragma once

#include <mccl.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace host_mccl {

using Token = std::array<unsigned char, 16>;

constexpr std::array<char, 8> kUniqueIdMagic = {'M', 'C', 'C', 'L', 'h', 'o', 's', '4'};

// The contents of the 128 bytes of an id: all that a rank needs to find the others.
struct UniqueId {
  std::array<char, 8> magic;
  std::int64_t process;
  std::uint64_t host;    // host_key() of the process that made it
  std::uint64_t server;  // names the socket of that process
  Token token;           // names the meeting; nobody guesses it
  std::array<unsigned char, 80> reserved;
};
static_assert(sizeof(UniqueId) == sizeof(mcclUniqueId));

// Returns nothing unless mcclGetUniqueId of this library made the id, in any process.
std::optional<UniqueId> contents_of(const mcclUniqueId& id);

std::string server_name(std::uint64_t server);

}  // namespace host_mccl
