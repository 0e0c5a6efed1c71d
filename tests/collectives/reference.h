// What collectives must give, computed in the plainest way and apart from the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda_names.h"

using Bytes = std::vector<std::uint8_t>;

std::size_t size_of(int type);

// One element as its bytes, and back. Floats are rounded to the nearest, ties to even; 8 bit floats
// have no infinity.
Bytes encode(int type, double value);
double decode(int type, const std::uint8_t* bytes);

// What rank `rank` gives in round `round`: the same in every process.
Bytes input(int type, int operation, std::size_t count, int rank, int round);
// The scalar that this rank multiplies with in a premultiplied sum.
double scalar_of(int type, int rank);

// The inputs reduced in the order of ranks: integers modulo their size, narrow floats in float,
// rounded once at the end.
Bytes reduced(int type, int operation, const std::vector<Bytes>& inputs);
