// The correspondence of CUDA's and MUSA's numbers, written by hand from the public evidence
// (mappings/musa/README.md lists it), never from mappings/.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace adapters {

// Enumerators of `type`: CUDA's number to MUSA's. MUSA lacks those that are missing here. Null for
// a type with the same numbers on both sides.
const std::map<std::int64_t, std::int64_t>* correspondence(const std::string& type);

// Whether the public evidence is that MUSA numbers `type` as CUDA does. A library with numbers of
// its own (muBLAS, muRAND) gets no enumeration that is neither here nor a correspondence.
bool has_cudas_numbers(const std::string& type);

// Whether programs combine the bits of the enumerators of `type`, so that other numbers are valid.
bool is_combined(const std::string& type);

// CUDA's status for MUSA's, by CUDA's type. Types that are not listed have the same statuses.
std::int64_t status_in_cuda(const std::string& type, std::int64_t musa);

// Statuses that a backend of `type` may return.
const std::map<std::int64_t, std::int64_t>& musa_statuses(const std::string& type);

// A library's status for a number that is not in an enumeration, and for an enumerator that MUSA
// lacks; by CUDA's status type.
std::int64_t status_of_stranger(const std::string& type);
std::int64_t status_of_missing(const std::string& type);
// The status for an integer that MUSA's type cannot hold.
std::int64_t status_of_wide(const std::string& type);

}  // namespace adapters
