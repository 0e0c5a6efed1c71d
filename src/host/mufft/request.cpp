#include "src/host/mufft/request.h"

#include <cstddef>
#include <cstdint>

#include "src/host/mufft/dft.h"

namespace host_mufft {
namespace {

// A product or sum of sizes, and whether it still fits into memory addresses.
class Extent {
 public:
  explicit Extent(std::size_t value) : value_(value) {}

  Extent& operator*=(std::size_t factor) {
    fits_ = !__builtin_mul_overflow(value_, factor, &value_) && fits_;
    return *this;
  }
  Extent& operator+=(Extent other) {
    fits_ = !__builtin_add_overflow(value_, other.value_, &value_) && fits_ && other.fits_;
    return *this;
  }

  std::size_t value() const { return value_; }
  bool fits(std::size_t element) const {
    return fits_ && value_ <= std::size_t{PTRDIFF_MAX} / element;
  }

 private:
  std::size_t value_;
  bool fits_ = true;
};

// The array from its first to its last element.
Extent span(const Layout& layout, const Lengths& lengths, std::size_t batch) {
  Extent all(1);
  for (int axis = 0; axis < kAxes; ++axis) {
    Extent along(lengths[axis] - 1);
    along *= layout.pitch[axis];
    all += along;
  }
  Extent batches(batch - 1);
  batches *= layout.distance;
  all += batches;
  return all;
}

// Elements without gaps. `row` is the length of the last axis in memory.
Layout packed(const Lengths& lengths, std::size_t row) {
  Extent plane(lengths[1]);
  plane *= row;
  Extent all(lengths[0]);
  all *= plane.value();
  return {{plane.value(), row, 1}, all.value()};
}

Layout embedded(const Embedding& embedding, int rank) {
  Layout layout;
  layout.distance = static_cast<std::size_t>(embedding.distance);
  Extent pitch(static_cast<std::size_t>(embedding.stride));
  for (int axis = kAxes - 1; axis >= kAxes - rank; --axis) {
    layout.pitch[axis] = pitch.fits(1) ? pitch.value() : PTRDIFF_MAX;
    pitch *= static_cast<std::size_t>(std::max(embedding.lengths[axis - (kAxes - rank)], 1LL));
  }
  return layout;
}

mufftResult check(const Embedding& embedding, int rank, long long batch) {
  if (embedding.stride < 1 || embedding.distance < (batch > 1 ? 1 : 0)) return MUFFT_INVALID_VALUE;
  for (int axis = 1; axis < rank; ++axis) {
    if (embedding.lengths[axis] < 1) return MUFFT_INVALID_SIZE;
  }
  return MUFFT_SUCCESS;
}

}  // namespace

Request simple_request(std::initializer_list<int> lengths, int batch) {
  Request request;
  request.rank = static_cast<int>(lengths.size());
  std::copy(lengths.begin(), lengths.end(), request.lengths.begin());
  request.batch = batch;
  return request;
}

mufftResult format_of(mufftType type, Format* format) {
  switch (type) {
    case MUFFT_C2C:
      *format = {Kind::complex_to_complex, false};
      return MUFFT_SUCCESS;
    case MUFFT_R2C:
      *format = {Kind::real_to_complex, false};
      return MUFFT_SUCCESS;
    case MUFFT_C2R:
      *format = {Kind::complex_to_real, false};
      return MUFFT_SUCCESS;
    case MUFFT_Z2Z:
      *format = {Kind::complex_to_complex, true};
      return MUFFT_SUCCESS;
    case MUFFT_D2Z:
      *format = {Kind::real_to_complex, true};
      return MUFFT_SUCCESS;
    case MUFFT_Z2D:
      *format = {Kind::complex_to_real, true};
      return MUFFT_SUCCESS;
  }
  return MUFFT_INVALID_TYPE;
}

mufftResult format_of(musaDataType input, musaDataType output, musaDataType execution,
                      Format* format) {
  struct Types {
    musaDataType real, complex;
  };
  constexpr Types kHalf = {MUSA_R_16F, MUSA_C_16F};
  constexpr Types kBfloat = {MUSA_R_16BF, MUSA_C_16BF};
  constexpr Types kSingle = {MUSA_R_32F, MUSA_C_32F};
  constexpr Types kDouble = {MUSA_R_64F, MUSA_C_64F};
  for (const Types& types : {kHalf, kBfloat, kSingle, kDouble}) {
    if (execution != types.complex) continue;
    const bool complex_input = input == types.complex;
    const bool complex_output = output == types.complex;
    if (!complex_input && (input != types.real || !complex_output)) return MUFFT_INVALID_TYPE;
    if (!complex_output && output != types.real) return MUFFT_INVALID_TYPE;
    if (types.complex == MUSA_C_16F || types.complex == MUSA_C_16BF) return MUFFT_NOT_SUPPORTED;
    format->kind = !complex_input    ? Kind::real_to_complex
                   : !complex_output ? Kind::complex_to_real
                                     : Kind::complex_to_complex;
    format->is_double = types.complex == MUSA_C_64F;
    return MUFFT_SUCCESS;
  }
  return MUFFT_INVALID_TYPE;
}

mufftResult make_shape(const Request& request, Format format, Shape* shape) {
  if (request.status != MUFFT_SUCCESS) return request.status;
  if (request.batch < 1) return MUFFT_INVALID_SIZE;
  Shape made;
  made.format = format;
  made.batch = static_cast<std::size_t>(request.batch);
  made.lengths.fill(1);
  const int leading = kAxes - request.rank;
  for (int axis = 0; axis < request.rank; ++axis) {
    if (request.lengths[axis] < 1) return MUFFT_INVALID_SIZE;
    made.lengths[leading + axis] = static_cast<std::size_t>(request.lengths[axis]);
  }

  // An upper bound of all that is computed from the lengths below. Bluestein's algorithm takes up
  // to four times the length.
  Extent volume(4 * sizeof(Complex));
  for (const std::size_t length : made.lengths) volume *= length + 2;
  volume *= made.batch;
  if (!volume.fits(1)) return MUFFT_INVALID_SIZE;

  const Lengths& real = made.lengths;
  const Lengths complex = {real[0], real[1], made.row()};
  const Lengths& input = format.kind == Kind::real_to_complex ? real : complex;
  const Lengths& output = format.kind == Kind::complex_to_real ? real : complex;
  if (request.advanced) {
    for (const Embedding* side : {&request.input, &request.output}) {
      const mufftResult status = check(*side, request.rank, request.batch);
      if (status != MUFFT_SUCCESS) return status;
    }
    made.input = embedded(request.input, request.rank);
    made.output = embedded(request.output, request.rank);
    if (!span(made.input, input, made.batch).fits(sizeof(Complex)) ||
        !span(made.output, output, made.batch).fits(sizeof(Complex))) {
      return MUFFT_INVALID_SIZE;
    }
    made.real_in_place = format.kind == Kind::real_to_complex ? made.input : made.output;
  } else {
    made.input = packed(input, input[2]);
    made.output = packed(output, output[2]);
    made.real_in_place = packed(real, 2 * made.row());
  }
  *shape = made;
  return MUFFT_SUCCESS;
}

}  // namespace host_mufft
