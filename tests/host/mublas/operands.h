// Vectors and matrices with random contents, and NaN in all places that BLAS must not read.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "tests/host/mublas/guarded_memory.h"
#include "tests/host/mublas/reference.h"
#include "tests/host/shared/device.h"

namespace blas_tests {

// Where an operand lies: in device memory with room on either side, or so that its first or its
// last element touches a page that nobody may read.
enum class Place { kInside, kFirst, kLast };

// Random arguments. Sizes are mixed, unless a plan for them is made.
class Random {
 public:
  // Neighbouring seeds give unrelated numbers.
  explicit Random(unsigned seed) : engine_(seed * 2654435761U + 1) { engine_.discard(2); }

  // Vectors of `length` elements, with all increments 1 or with any.
  static Random of_length(int length, bool unit_increments) {
    Random random(static_cast<unsigned>(length));
    random.plan_ = Plan::kLength;
    random.length_ = length;
    random.unit_increments_ = unit_increments;
    return random;
  }
  // Matrices of sizes at the edges of the blocks in which OpenBLAS computes.
  static Random at_edges(unsigned seed) {
    Random random(seed);
    random.plan_ = Plan::kEdges;
    random.large_ = random.between(0, 11);
    return random;
  }

  int between(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<unsigned>(high - low + 1));
  }
  bool coin() { return between(0, 1) == 1; }
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[between(0, static_cast<int>(values.size()) - 1)];
  }
  int size() {
    if (plan_ == Plan::kLength) return length_;
    if (plan_ == Plan::kEdges) return edge();
    // Sometimes nothing, sometimes more than a block of OpenBLAS's kernels.
    const int kind = between(0, 11);
    if (kind == 0) return 0;
    return kind == 1 ? between(30, 70) : between(1, 12);
  }
  // The rows and columns of a matrix that need not be square.
  std::array<int, 2> rectangle() {
    if (plan_ != Plan::kEdges || between(0, 3) != 0) return {size(), size()};
    const int narrow = between(1, 20);
    const int wide = one_of({511, 1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097});
    return coin() ? std::array{narrow, wide} : std::array{wide, narrow};
  }
  // How many terms each of `results` sums has.
  int depth(int results) {
    if (plan_ != Plan::kEdges || results > 1200 || coin()) return size();
    return one_of({127, 128, 129, 191, 193, 255, 256, 257, 320, 321, 383, 384, 385, 449, 513, 641});
  }
  // Of a general product: OpenBLAS has other kernels for those of up to a million terms in all.
  int general_depth(int results) {
    if (plan_ == Plan::kEdges && results > 250 && between(0, 9) == 0)
      return 1'000'000 / results + 1;
    return depth(results);
  }
  int increment() {
    if (plan_ == Plan::kLength && unit_increments_) return 1;
    return one_of({-3, -2, -1, 1, 1, 2, 3});
  }
  // Of a vector that is only read: with 0 every element is the first.
  int source_increment() {
    const int increment_or_not = increment();
    const bool may_be_0 = plan_ != Plan::kLength || !unit_increments_;
    return may_be_0 && between(0, 9) == 0 ? 0 : increment_or_not;
  }
  int positive_increment() {
    if (plan_ == Plan::kLength) return unit_increments_ ? 1 : between(2, 3);
    return between(1, 3);
  }
  Place place() {
    if (plan_ == Plan::kMixed) return Place::kInside;
    return coin() ? Place::kFirst : Place::kLast;
  }
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
  // A power of two whose square, often, is more or less than the type can hold.
  template <typename R>
  R scale() {
    const R huge = std::ldexp(R{1}, std::numeric_limits<R>::max_exponent * 3 / 4);
    return one_of({R{1}, R{1}, huge, 1 / huge});
  }
  // alpha or beta.
  template <typename T>
  T factor() {
    return one_of({T(0), T(1), number<T>(), number<T>()});
  }

 private:
  enum class Plan { kMixed, kLength, kEdges };

  int edge() {
    const int number = sizes_++;
    if (number == large_) {
      return one_of({95, 96, 97, 127, 128, 129, 160, 191, 192, 193, 224, 255, 256, 257, 321});
    }
    if (large_ <= 1) return between(1, 9);
    const int kind = between(0, 11);
    if (kind == 0) return between(60, 70);
    return kind <= 2 ? between(31, 50) : between(1, 33);
  }

  std::minstd_rand engine_;  // many trials are short, and a larger one takes longer to begin
  Plan plan_ = Plan::kMixed;
  int length_ = 0;
  bool unit_increments_ = false;
  int sizes_ = 0;   // that were asked for
  int large_ = -1;  // the number of the one that is large; the others are small then
};

// Where the numbers of an operand lie while the device computes.
template <typename T>
class Memory {
 public:
  Memory(const std::vector<T>& values, Place place) : size_(values.size()) {
    if (place == Place::kInside) {
      device_.emplace(values);
      data_ = device_->data();
      return;
    }
    pages_.emplace(size_ * sizeof(T));
    data_ = reinterpret_cast<T*>(place == Place::kFirst ? (**pages_).begin()
                                                        : (**pages_).end() - size_ * sizeof(T));
    std::copy(values.begin(), values.end(), data_);
  }
  T* data() const { return data_; }
  std::vector<T> values() const {
    return device_ ? device_->values() : std::vector<T>(data_, data_ + size_);
  }

 private:
  std::size_t size_;
  std::optional<host_tests::DeviceArray<T>> device_;
  std::optional<BorrowedPages> pages_;
  T* data_;
};

// An array with room before and behind it, as far as its place leaves any. `indices` count from its
// beginning.
template <typename T>
class Storage {
 public:
  Storage(std::ptrdiff_t size, Place place)
      : place_(place),
        before_(place == Place::kFirst ? 0 : kMargin),
        values_(before_ + size + (place == Place::kLast ? 0 : kMargin), not_a_number<T>()) {}

  T& operator[](std::ptrdiff_t index) { return values_[index + before_]; }
  const T& operator[](std::ptrdiff_t index) const { return values_[index + before_]; }
  void poison() { std::fill(values_.begin(), values_.end(), not_a_number<T>()); }

  Api<T>* device() {
    if (!device_) device_ = std::make_unique<Memory<T>>(values_, place_);
    return reinterpret_cast<Api<T>*>(device_->data() + before_);
  }
  void expect(std::ptrdiff_t index, const Sum<T>& sum) {
    expected_.resize(values_.size());
    expected_[index + before_] = sum;
  }
  // All elements without an expected value must be unchanged to the bit. Afterwards the storage has
  // the contents of the device.
  void compare() {
    if (!device_) return;
    const auto got = device_->values();
    expected_.resize(values_.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto where = static_cast<std::ptrdiff_t>(i) - before_;
      if (!expected_[i]) {
        ASSERT_EQ(std::memcmp(&got[i], &values_[i], sizeof(T)), 0) << "changed at " << where;
      } else if (expected_[i]->value != expected_[i]->value) {
        ASSERT_NE(got[i], got[i]) << "a number at " << where;
      } else {
        const auto error = magnitude(Wide<T>(got[i]) - expected_[i]->value);
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
      same.value = Wide<T>(got[index + before_]);
      expect(index, same);
    }
  }

 private:
  static constexpr std::ptrdiff_t kMargin = 3;
  Place place_;
  std::ptrdiff_t before_;
  std::vector<T> values_;
  std::vector<std::optional<Sum<T>>> expected_;
  std::unique_ptr<Memory<T>> device_;
};

template <typename T>
class Vector {
 public:
  Vector(Random& random, int length, int increment)
      : n(length),
        inc(increment),
        storage(1 + std::ptrdiff_t{std::max(n - 1, 0)} * std::abs(inc), random.place()) {
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
    return {random, m, n, ld, [=](int i, int j) { return i + std::ptrdiff_t{ld} * j; }};
  }
  static Matrix band(Random& random, int m, int n, int kl, int ku) {
    const int ld = kl + ku + 1 + random.between(0, 3);
    return {random, m, n, ld, [=](int i, int j) {
              return i - j > kl || j - i > ku ? -1 : ku + i - j + std::ptrdiff_t{ld} * j;
            }};
  }
  static Matrix triangle(Random& random, mublasFillMode_t uplo, int n) {
    const int ld = std::max(n, 1) + random.between(0, 3);
    return {random, n, n, ld,
            [=](int i, int j) { return in(uplo, i, j) ? i + std::ptrdiff_t{ld} * j : -1; }};
  }
  static Matrix triangle_band(Random& random, mublasFillMode_t uplo, int n, int k) {
    const bool upper = uplo == MUBLAS_FILL_MODE_UPPER;
    return band(random, n, n, upper ? 0 : k, upper ? k : 0);
  }
  static Matrix packed(Random& random, mublasFillMode_t uplo, int n) {
    const bool upper = uplo == MUBLAS_FILL_MODE_UPPER;
    return {random, n, n, n, [=](int i, int j) {
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
    // Otherwise the solutions of a large one are too large for a float.
    if (rows > 64) for_stored([&](int i, int j) { at(i, j) *= Real<T>(0.125); });
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
  Matrix(Random& random, int m, int n, int leading, Index where)
      : rows(m),
        columns(n),
        ld(leading),
        index(std::move(where)),
        storage(behind_the_last(), random.place()) {
    for_stored([&](int i, int j) { at(i, j) = random.number<T>(); });
  }
  std::ptrdiff_t behind_the_last() const {
    std::ptrdiff_t end = 0;
    for_stored([&](int i, int j) { end = std::max(end, index(i, j) + 1); });
    return end;
  }
  static bool in(mublasFillMode_t uplo, int i, int j) {
    return uplo == MUBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
  }
};

}  // namespace blas_tests
