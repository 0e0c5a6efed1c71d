// Chooses the algorithm of a transform by its length.
#pragma once

#include <cstddef>
#include <memory>

#include "src/host/mufft/dft.h"

namespace host_mufft {

// Takes O(length * log(length)) operations for every length, which is at least 1.
std::unique_ptr<Dft> make_dft(std::size_t length);

// Bytes of memory that make_dft(length) takes.
std::size_t dft_bytes(std::size_t length);

}  // namespace host_mufft
