#include "src/host/mufft/transform.h"

#include <algorithm>

#include "src/host/mufft/make_dft.h"

namespace host_mufft {
namespace {

std::size_t longest(const Shape& shape) {
  return *std::max_element(shape.lengths.begin(), shape.lengths.end());
}

// Calls visit(at, element) for the start of each row: `at` in the work area, `element` in the
// array.
template <typename Visit>
void each_row(const Shape& shape, const Layout& layout, Visit visit) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < shape.lengths[0]; ++i) {
    for (std::size_t j = 0; j < shape.lengths[1]; ++j) {
      visit(at, i * layout.pitch[0] + j * layout.pitch[1]);
      at += shape.row();
    }
  }
}

}  // namespace

Transform::Transform(const Shape& shape)
    : shape_(shape), line_(longest(shape)), transformed_(longest(shape)) {
  for (int axis = 0; axis < kAxes; ++axis) dfts_[axis] = make_dft(shape.lengths[axis]);
}

std::size_t Transform::own_bytes(const Shape& shape) {
  std::size_t bytes = 2 * longest(shape) * sizeof(Complex);
  for (const std::size_t length : shape.lengths) bytes += dft_bytes(length);
  return bytes;
}

template <typename Real>
void Transform::load(const Real* in, const Layout& layout, bool conjugate, Complex* work) {
  each_row(shape_, layout, [&](std::size_t at, std::size_t element) {
    for (std::size_t k = 0; k < shape_.row(); ++k, element += layout.pitch[2]) {
      const double imaginary = in[2 * element + 1];
      work[at + k] = Complex(in[2 * element], conjugate ? -imaginary : imaginary);
    }
  });
}

template <typename Real>
void Transform::store(const Complex* work, const Layout& layout, bool conjugate, Real* out) {
  each_row(shape_, layout, [&](std::size_t at, std::size_t element) {
    for (std::size_t k = 0; k < shape_.row(); ++k, element += layout.pitch[2]) {
      const Complex value = work[at + k];
      out[2 * element] = static_cast<Real>(value.real());
      out[2 * element + 1] = static_cast<Real>(conjugate ? -value.imag() : value.imag());
    }
  });
}

template <typename Real>
void Transform::load_real(const Real* in, const Layout& layout, Complex* work) {
  each_row(shape_, layout, [&](std::size_t at, std::size_t element) {
    for (std::size_t k = 0; k < shape_.lengths[2]; ++k)
      line_[k] = in[element + k * layout.pitch[2]];
    dfts_[2]->forward(line_.data(), transformed_.data());
    std::copy_n(transformed_.begin(), shape_.row(), work + at);
  });
}

// The work area has the conjugates of the row's first half. What would be the imaginary part of a
// real number does not count.
template <typename Real>
void Transform::store_real(const Complex* work, const Layout& layout, Real* out) {
  const std::size_t length = shape_.lengths[2];
  each_row(shape_, layout, [&](std::size_t at, std::size_t element) {
    line_[0] = work[at].real();
    for (std::size_t k = 1; k < shape_.row(); ++k) {
      line_[k] = 2 * k == length ? Complex(work[at + k].real()) : work[at + k];
      line_[length - k] = std::conj(line_[k]);
    }
    dfts_[2]->forward(line_.data(), transformed_.data());
    for (std::size_t k = 0; k < length; ++k) {
      out[element + k * layout.pitch[2]] = static_cast<Real>(transformed_[k].real());
    }
  });
}

void Transform::transform_axis(int axis, Complex* work) {
  const std::size_t length = shape_.lengths[axis];
  if (length == 1) return;
  std::size_t pitch = 1;
  for (int inner = axis + 1; inner < kAxes; ++inner) {
    pitch *= inner == kAxes - 1 ? shape_.row() : shape_.lengths[inner];
  }
  for (std::size_t block = 0; block < shape_.volume(); block += length * pitch) {
    for (std::size_t start = block; start < block + pitch; ++start) {
      for (std::size_t k = 0; k < length; ++k) line_[k] = work[start + k * pitch];
      dfts_[axis]->forward(line_.data(), transformed_.data());
      for (std::size_t k = 0; k < length; ++k) work[start + k * pitch] = transformed_[k];
    }
  }
}

// An inverse transform is the conjugate of the forward transform of the conjugate. The axis with a
// real side comes first on the way to complex numbers, and last on the way back.
template <typename Real>
void Transform::run_batch(const Real* in, Real* out, bool inverse, Complex* work) {
  const bool in_place = in == out;
  Layout input = shape_.input;
  Layout output = shape_.output;
  switch (shape_.format.kind) {
    case Kind::complex_to_complex:
      for (std::size_t batch = 0; batch < shape_.batch; ++batch) {
        load(in + 2 * batch * input.distance, input, inverse, work);
        for (int axis = 0; axis < kAxes; ++axis) transform_axis(axis, work);
        store(work, output, inverse, out + 2 * batch * output.distance);
      }
      break;
    case Kind::real_to_complex:
      if (in_place) input = shape_.real_in_place;
      for (std::size_t batch = 0; batch < shape_.batch; ++batch) {
        load_real(in + batch * input.distance, input, work);
        for (int axis = 0; axis < kAxes - 1; ++axis) transform_axis(axis, work);
        store(work, output, false, out + 2 * batch * output.distance);
      }
      break;
    case Kind::complex_to_real:
      if (in_place) output = shape_.real_in_place;
      for (std::size_t batch = 0; batch < shape_.batch; ++batch) {
        load(in + 2 * batch * input.distance, input, true, work);
        for (int axis = 0; axis < kAxes - 1; ++axis) transform_axis(axis, work);
        store_real(work, output, out + batch * output.distance);
      }
      break;
  }
}

void Transform::run(const void* in, void* out, bool inverse, Complex* work) {
  const std::lock_guard lock(mutex_);
  if (shape_.format.is_double) {
    run_batch(static_cast<const double*>(in), static_cast<double*>(out), inverse, work);
  } else {
    run_batch(static_cast<const float*>(in), static_cast<float*>(out), inverse, work);
  }
}

}  // namespace host_mufft
