#pragma once

#include <complex>
#include <cstddef>
#include <random>
#include <type_traits>
#include <vector>

#include "tests/conformance/support.h"

// A float, double or std::complex of these. A real one drops the imaginary part.
template <typename T>
T number(double real, double imaginary) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(real + 0 * imaginary);
  } else {
    using Real = typename T::value_type;
    return T(static_cast<Real>(real), static_cast<Real>(imaginary));
  }
}

// `count` matrices in device memory, with a gap below each column, and their addresses there.
template <typename T>
class Matrices {
 public:
  Matrices(int rows, int columns, int count, int gap = 2)
      : rows_(static_cast<std::size_t>(rows)),
        columns_(static_cast<std::size_t>(columns)),
        ld_(rows_ + static_cast<std::size_t>(gap)),
        count_(static_cast<std::size_t>(count)),
        values(ld_ * columns_ * count_, T(99)),
        memory_(values.size() * sizeof(T) + 1),
        addresses_(count_ * sizeof(void*)) {
    std::vector<T*> addresses;
    for (std::size_t i = 0; i < count_; ++i) {
      addresses.push_back(static_cast<T*>(static_cast<void*>(memory_)) + i * ld_ * columns_);
    }
    EXPECT_OK(cudaMemcpy(addresses_, addresses.data(), count_ * sizeof(void*), cudaMemcpyDefault));
    put();
  }
  void draw(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> part(-1, 1);
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t place = 0; place < rows_ * columns_; ++place) {
        const double real = part(random);
        at(i, place % rows_, place / rows_) = number<T>(real, part(random));
      }
    }
    put();
  }
  void put() { EXPECT_OK(cudaMemcpy(memory_, values.data(), bytes(), cudaMemcpyDefault)); }
  void get() { EXPECT_OK(cudaMemcpy(values.data(), memory_, bytes(), cudaMemcpyDefault)); }
  T& at(std::size_t matrix, std::size_t row, std::size_t column) {
    return values[(matrix * columns_ + column) * ld_ + row];
  }
  void* addresses() const { return addresses_; }
  int ld() const { return static_cast<int>(ld_); }
  void expect_gaps() {
    for (std::size_t column = 0; column < columns_ * count_; ++column) {
      for (std::size_t row = rows_; row < ld_; ++row) EXPECT_EQ(T(99), values[column * ld_ + row]);
    }
  }

 private:
  std::size_t bytes() const { return values.size() * sizeof(T); }
  std::size_t rows_, columns_, ld_, count_;

 public:
  std::vector<T> values;

 private:
  Buffer memory_, addresses_;
};
