// The expected results of collectives, computed in the simplest way and independently of the
// library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/collectives/cuda_names.h"

using Bytes = std::vector<std::uint8_t>;

std::size_t size_of(int type);

// Converts one element to bytes and back. Floats are rounded to nearest, ties to even. 8 bit floats
// have no infinity.
Bytes encode(int type, double value);
double decode(int type, const std::uint8_t* bytes);

// The input of rank `rank` in round `round`. The same in every process.
Bytes input(int type, int operation, std::size_t count, int rank, int round);
// The scalar of this rank in a premultiplied sum.
double scalar_of(int type, int rank);

// The inputs, reduced in the order of ranks: integers wrap around, narrow floats are computed in
// float and rounded once at the end.
Bytes reduced(int type, int operation, const std::vector<Bytes>& inputs);
