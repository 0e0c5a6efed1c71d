// What a person wrote down of how CUDA's numbers and MUSA's correspond. From the public evidence
// (mappings/musa/README.md says where), never from mappings/.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace adapters {

// Enumerators of `type`, CUDA's number to MUSA's; those that are missing MUSA has not. Null for a
// type whose numbers are the same on both sides.
const std::map<std::int64_t, std::int64_t>* correspondence(const std::string& type);

// Whether programs combine the bits of the enumerators of `type`, so that other numbers are right.
bool is_combined(const std::string& type);

// CUDA's status for MUSA's, by CUDA's type. Statuses of types that are not listed are the same.
std::int64_t status_in_cuda(const std::string& type, std::int64_t musa);

// Statuses that a backend of `type` may return.
const std::map<std::int64_t, std::int64_t>& musa_statuses(const std::string& type);

// What a library answers to a number that is none of an enumeration's, and to an enumerator that
// MUSA has not; by CUDA's status type.
std::int64_t status_of_stranger(const std::string& type);
std::int64_t status_of_missing(const std::string& type);
// And to an integer that MUSA's type cannot hold.
std::int64_t status_of_wide(const std::string& type);

}  // namespace adapters
