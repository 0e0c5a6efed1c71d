// Vectors and matrices with random contents, and NaN in all places that BLAS must not read.
#pragma once

#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <random>

#include "device.h"
#include "reference.h"

namespace blas_tests {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int between(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1));
  }
  bool coin() { return between(0, 1) == 1; }
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[between(0, static_cast<int>(values.size()) - 1)];
  }
  // Sometimes zero, sometimes more than a block of OpenBLAS's kernels.
  int size() {
    const int kind = between(0, 11);
    if (kind == 0) return 0;
    return kind == 1 ? between(30, 70) : between(1, 12);
  }
  int increment() { return one_of({-3, -2, -1, 1, 1, 2, 3}); }
  mublasOperation_t operation() { return one_of({MUBLAS_OP_N, MUBLAS_OP_T, MUBLAS_OP_C}); }
  mublasFillMode_t triangle() { return one_of({MUBLAS_FILL_MODE_UPPER, MUBLAS_FILL_MODE_LOWER}); }
  mublasDiagType_t diagonal() { return one_of({MUBLAS_DIAG_UNIT, MUBLAS_DIAG_NON_UNIT}); }
  mublasSideMode_t side() { return one_of({MUBLAS_SIDE_LEFT, MUBLAS_SIDE_RIGHT}); }

  template <typename T>
  T number() {
    std::uniform_real_distribution<Real<T>> uniform(-1, 1);
    if constexpr (is_complex<T>) {
      const auto real = uniform(engine_);
      return {real, uniform(engine_)};
    } else {
      return uniform(engine_);
    }
  }
  // alpha or beta.
  template <typename T>
  T factor() {
    return one_of({T(0), T(1), number<T>(), number<T>()});
  }

 private:
  std::mt19937 engine_;
};

// An array in device memory with margins before and after it. `indices` count from the array's
// start.
template <typename T>
class Storage {
 public:
  explicit Storage(std::ptrdiff_t size) : values_(size + 2 * kMargin, not_a_number<T>()) {}

  T& operator[](std::ptrdiff_t index) { return values_[index + kMargin]; }
  const T& operator[](std::ptrdiff_t index) const { return values_[index + kMargin]; }
  void poison() { std::fill(values_.begin(), values_.end(), not_a_number<T>()); }

  Api<T>* device() {
    if (!device_) device_ = std::make_unique<host_tests::DeviceArray<T>>(values_);
    return reinterpret_cast<Api<T>*>(device_->data() + kMargin);
  }
  void expect(std::ptrdiff_t index, const Sum<T>& sum) {
    expected_.resize(values_.size());
    expected_[index + kMargin] = sum;
  }
  // All elements without an expected value must be unchanged to the bit. Afterwards the storage has
  // the contents of the device.
  void compare() {
    if (!device_) return;
    const auto got = device_->values();
    expected_.resize(values_.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto where = static_cast<std::ptrdiff_t>(i) - kMargin;
      if (!expected_[i]) {
        ASSERT_EQ(std::memcmp(&got[i], &values_[i], sizeof(T)), 0) << "changed at " << where;
      } else {
        const auto error = std::abs(Wide<T>(got[i]) - expected_[i]->value);
        ASSERT_LE(error, expected_[i]->tolerance())
            << "at " << where << ": " << got[i] << " instead of " << expected_[i]->value;
      }
    }
    values_ = got;
  }
  // Accepts the device's values at these places.
  void accept(const std::vector<std::ptrdiff_t>& indices) {
    const auto got = device_->values();
    for (const auto index : indices) {
      Sum<T> same;
      same.value = Wide<T>(got[index + kMargin]);
      expect(index, same);
    }
  }

 private:
  static constexpr std::ptrdiff_t kMargin = 3;
  std::vector<T> values_;
  std::vector<std::optional<Sum<T>>> expected_;
  std::unique_ptr<host_tests::DeviceArray<T>> device_;
};

template <typename T>
class Vector {
 public:
  Vector(Random& random, int length, int increment)
      : n(length), inc(increment), storage(1 + std::ptrdiff_t{std::max(n - 1, 0)} * std::abs(inc)) {
    for (int i = 0; i < n; ++i) storage[index(i)] = random.number<T>();
  }
  Vector(Random& random, int length) : Vector(random, length, random.increment()) {}

  std::ptrdiff_t index(int i) const { return std::ptrdiff_t{inc > 0 ? i : i - (n - 1)} * inc; }
  T& at(int i) { return storage[index(i)]; }
  Wide<T> wide(int i) const { return Wide<T>(storage[index(i)]); }
  // As a matrix of one column.
  Dense<T> dense() const {
    Dense<T> result(n, 1);
    for (int i = 0; i < n; ++i) result.at(i, 0) = wide(i);
    return result;
  }
  std::vector<std::ptrdiff_t> indices() const {
    std::vector<std::ptrdiff_t> result;
    for (int i = 0; i < n; ++i) result.push_back(index(i));
    return result;
  }
  Api<T>* device() { return storage.device(); }

  int n, inc;
  Storage<T> storage;
};

template <typename T>
class Matrix {
 public:
  using Index = std::function<std::ptrdiff_t(int, int)>;  // -1 where nothing is stored

  static Matrix general(Random& random, int m, int n) {
    const int ld = std::max(m, 1) + random.between(0, 3);
    return {random,
            m,
            n,
            ld,
            std::ptrdiff_t{ld} * n,
            [=](int i, int j) {
              return i + std::ptrdiff_t{ld} * j; }};
  }
  static Matrix band(Random& random, int m, int n, int kl, int ku) {
    const int ld = kl + ku + 1 + random.between(0, 3);
    return {random, m, n, ld, std::ptrdiff_t{ld} * n, [=](int i, int j) {
              return i - j > kl || j - i > ku ? -1 : ku + i - j + std::ptrdiff_t{ld} * j;
            }};
  }
  static Matrix triangle(Random& random, mublasFillMode_t uplo, int n) {
    const int ld = std::max(n, 1) + random.between(0, 3);
    return {random, n, n, ld, std::ptrdiff_t{ld} * n, [=](int i, int j) {
              return in(uplo, i, j) ? i + std::ptrdiff_t{ld} * j : -1;
            }};
  }
  static Matrix triangle_band(Random& random, mublasFillMode_t uplo, int n, int k) {
    const bool upper = uplo == MUBLAS_FILL_MODE_UPPER;
    return band(random, n, n, upper ? 0 : k, upper ? k : 0);
  }
  static Matrix packed(Random& random, mublasFillMode_t uplo, int n) {
    const bool upper = uplo == MUBLAS_FILL_MODE_UPPER;
    return {random, n, n, n, std::ptrdiff_t{n} * (n + 1) / 2, [=](int i, int j) {
              if (!in(uplo, i, j)) return std::ptrdiff_t{-1};
              return upper ? i + std::ptrdiff_t{j} * (j + 1) / 2
                           : i + std::ptrdiff_t{j} * (2 * n - j - 1) / 2;
            }};
  }

  bool stored(int i, int j) const { return index(i, j) >= 0; }
  T& at(int i, int j) { return storage[index(i, j)]; }
  Wide<T> wide(int i, int j) const { return Wide<T>(storage[index(i, j)]); }

  Dense<T> dense() const {
    Dense<T> result(rows, columns);
    for_stored([&](int i, int j) { result.at(i, j) = wide(i, j); });
    return result;
  }
  Dense<T> symmetric(bool hermitian) const {
    Dense<T> result(rows, columns);
    for_stored([&](int i, int j) {
      const auto element = hermitian && i == j ? Wide<T>(real_part(wide(i, j))) : wide(i, j);
      result.at(j, i) = hermitian ? conjugate(element) : element;
      result.at(i, j) = element;
    });
    return result;
  }
  // Makes the matrix solvable as a triangular matrix by changing its diagonal. The diagonal of a
  // unit triangular matrix becomes NaN, because nobody may read it.
  Dense<T> triangular(Random& random, mublasDiagType_t diag) {
    for (int i = 0; i < rows; ++i) {
      at(i, i) = diag == MUBLAS_DIAG_UNIT ? not_a_number<T>()
                                          : T(static_cast<Real<T>>(random.between(2, 5)));
    }
    auto result = dense();
    if (diag == MUBLAS_DIAG_UNIT) {
      for (int i = 0; i < rows; ++i) result.at(i, i) = 1;
    }
    return result;
  }
  template <typename Do>
  void for_stored(Do action) const {
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        if (stored(i, j)) action(i, j);
      }
    }
  }
  std::vector<std::ptrdiff_t> indices() const {
    std::vector<std::ptrdiff_t> result;
    for_stored([&](int i, int j) { result.push_back(index(i, j)); });
    return result;
  }
  Api<T>* device() { return storage.device(); }

  int rows, columns, ld;
  Index index;
  Storage<T> storage;

 private:
  Matrix(Random& random, int m, int n, int leading, std::ptrdiff_t size, Index where)
      : rows(m), columns(n), ld(leading), index(std::move(where)), storage(size) {
    for_stored([&](int i, int j) { at(i, j) = random.number<T>(); });
  }
  static bool in(mublasFillMode_t uplo, int i, int j) {
    return uplo == MUBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
  }
};

}  // namespace blas_tests
