// The arguments of the planning functions, and their checks.
#pragma once

#include <mufftXt.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "src/host/mufft/shape.h"

namespace host_mufft {

// One side of the advanced data layout.
struct Embedding {
  std::array<long long, kAxes> lengths{};  // of the array in memory; the first one is not used
  long long stride = 1;
  long long distance = 1;
};

struct Request {
  // The members below have meaning only if this is MUFFT_SUCCESS.
  mufftResult status = MUFFT_SUCCESS;
  int rank = 0;
  std::array<long long, kAxes> lengths{};
  long long batch = 1;
  bool advanced = false;
  Embedding input, output;
};

Request simple_request(std::initializer_list<int> lengths, int batch);

// If inembed or onembed is null, the other one and strides and distances are ignored.
template <typename Integer>
Request many_request(int rank, const Integer* n, const Integer* inembed, Integer istride,
                     Integer idist, const Integer* onembed, Integer ostride, Integer odist,
                     Integer batch) {
  Request request;
  if (rank < 1 || rank > kAxes || n == nullptr) {
    request.status = MUFFT_INVALID_VALUE;
    return request;
  }
  request.rank = rank;
  request.batch = batch;
  std::copy_n(n, rank, request.lengths.begin());
  request.advanced = inembed != nullptr && onembed != nullptr;
  if (request.advanced) {
    std::copy_n(inembed, rank, request.input.lengths.begin());
    std::copy_n(onembed, rank, request.output.lengths.begin());
    request.input.stride = istride;
    request.input.distance = idist;
    request.output.stride = ostride;
    request.output.distance = odist;
  }
  return request;
}

// MUFFT_INVALID_TYPE if the number is no type of this library.
mufftResult format_of(mufftType type, Format* format);

// The same for the three element types of mufftXtMakePlanMany. MUFFT_INVALID_TYPE if they do not
// belong together, MUFFT_NOT_SUPPORTED for numbers of 16 bits.
mufftResult format_of(musaDataType input, musaDataType output, musaDataType execution,
                      Format* format);

// Checks a request. The products of all sizes in *shape fit into memory addresses.
mufftResult make_shape(const Request& request, Format format, Shape* shape);

}  // namespace host_mufft
