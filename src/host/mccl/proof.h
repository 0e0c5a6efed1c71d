// How two processes show each other that they know an id without sending it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace host_mccl {

// What the id says to those who have it, and nobody else.
using Secret = std::array<unsigned char, 56>;

// Random bytes that one side chooses for one connection, so that the other side's proof serves
// nobody a second time.
using Nonce = std::array<unsigned char, 32>;

// HMAC-SHA256.
using Proof = std::array<unsigned char, 32>;

// Fills all of it with random bytes of the system. Returns false if there are none.
bool fill_randomly(void* bytes, std::size_t size);

// `role` says who proves. `said` is what the proof vouches for.
Proof make_proof(const Secret& secret, std::string_view role, const Nonce& nonce, const void* said,
                 std::size_t size);

// Takes the same time wherever they differ.
bool are_equal(const Proof& left, const Proof& right);

}  // namespace host_mccl
