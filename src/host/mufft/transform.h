// Computes the transforms of a plan.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "src/host/mufft/dft.h"
#include "src/host/mufft/shape.h"

namespace host_mufft {

class Transform {
 public:
  explicit Transform(const Shape& shape);

  const Shape& shape() const { return shape_; }

  // Bytes of the work area, which holds one transform of the batch, and of what the object takes.
  static std::size_t work_bytes(const Shape& shape) { return shape.volume() * sizeof(Complex); }
  static std::size_t own_bytes(const Shape& shape);

  // `in` and `out` may be the same. Runs of one object follow each other: they share its memory.
  // `inverse` has no effect if one side is real.
  void run(const void* in, void* out, bool inverse, Complex* work);

 private:
  template <typename Real>
  void run_batch(const Real* in, Real* out, bool inverse, Complex* work);
  template <typename Real>
  void load(const Real* in, const Layout& layout, bool conjugate, Complex* work);
  template <typename Real>
  void store(const Complex* work, const Layout& layout, bool conjugate, Real* out);
  template <typename Real>
  void load_real(const Real* in, const Layout& layout, Complex* work);
  template <typename Real>
  void store_real(const Complex* work, const Layout& layout, Real* out);
  void transform_axis(int axis, Complex* work);

  const Shape shape_;
  std::mutex mutex_;
  std::array<std::unique_ptr<Dft>, kAxes> dfts_;
  std::vector<Complex> line_, transformed_;
};

}  // namespace host_mufft
