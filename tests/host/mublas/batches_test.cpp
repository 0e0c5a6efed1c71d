// Batched and strided batched functions against the reference.
#include "tests/host/mublas/trial.h"

namespace blas_tests {
namespace {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

// The members of a batch, each with its own memory, and their pointers in device memory.
template <typename Operand>
class Batch {
 public:
  template <typename Make>
  Batch(int count, Make make) {
    for (int i = 0; i < count; ++i) members_.push_back(make());
  }
  Operand& operator[](int i) { return members_[i]; }
  auto pointers() {
    std::vector<decltype(members_[0].device())> all;
    for (auto& member : members_) all.push_back(member.device());
    all.push_back(nullptr);  // a valid address even for an empty batch
    memory_ = std::make_shared<host_tests::DeviceArray<typename decltype(all)::value_type>>(all);
    return std::static_pointer_cast<host_tests::DeviceArray<typename decltype(all)::value_type>>(
               memory_)
        ->data();
  }
  void poison() {
    for (auto& member : members_) member.storage.poison();
  }
  void compare() {
    for (auto& member : members_) member.storage.compare();
  }

 private:
  std::deque<Operand> members_;
  std::shared_ptr<void> memory_;
};

// All members of a batch have the same shape.
template <typename T>
Matrix<T> same_shape(Random random, int m, int n, unsigned contents) {
  auto matrix = Matrix<T>::general(random, m, n);
  Random filler(contents);
  matrix.for_stored([&](int i, int j) { matrix.at(i, j) = filler.number<T>(); });
  return matrix;
}

template <typename T>
void expect_product(const T& alpha, const Dense<T>& a, const Dense<T>& b, const T& beta,
                    Matrix<T>& c) {
  c.for_stored([&](int i, int j) {
    Sum<T> sum;
    add_product(sum, Wide<T>(alpha), a, i, b, j);
    if (beta != T{}) sum.add(beta, c.wide(i, j));
    c.storage.expect(c.index(i, j), sum);
  });
}

// Shapes of the matrices of C = alpha * op(A) * op(B) + beta * C.
template <typename T>
struct GemmShape {
  explicit GemmShape(Random& random)
      : m(random.size()),
        n(random.size()),
        k(random.size()),
        count(random.between(0, 3)),
        trans_a(random.operation()),
        trans_b(random.operation()),
        alpha(random.factor<T>()),
        beta(random.factor<T>()) {}
  int m, n, k, count;
  mublasOperation_t trans_a, trans_b;
  T alpha, beta;

  int rows_a() const { return trans_a == MUBLAS_OP_N ? m : k; }
  int columns_a() const { return trans_a == MUBLAS_OP_N ? k : m; }
  int rows_b() const { return trans_b == MUBLAS_OP_N ? k : n; }
  int columns_b() const { return trans_b == MUBLAS_OP_N ? n : k; }
  bool empty() const { return m == 0 || n == 0; }
};

template <typename T, auto function>
void gemm_batched(Trial& t) {
  const GemmShape<T> s(t.random);
  unsigned contents = 1;
  const auto make = [&](int rows, int columns) {
    return [=, &contents, shape = t.random] {
      return same_shape<T>(shape, rows, columns, contents++);
    };
  };
  Batch<Matrix<T>> a(s.count, make(s.rows_a(), s.columns_a()));
  Batch<Matrix<T>> b(s.count, make(s.rows_b(), s.columns_b()));
  Batch<Matrix<T>> c(s.count, make(s.m, s.n));
  for (int i = 0; i < s.count; ++i) {
    expect_product(s.alpha, a[i].dense().op(s.trans_a), b[i].dense().op(s.trans_b), s.beta, c[i]);
  }
  if (s.alpha == T{}) a.poison();
  if (s.alpha == T{}) b.poison();
  if (s.beta == T{} && !s.empty()) c.poison();
  const auto ld = [&](auto& batch, int rows) { return s.count == 0 ? rows : batch[0].ld; };
  t.run([&] {
    return function(t.handle, s.trans_a, s.trans_b, s.m, s.n, s.k, t.scalar(s.alpha), a.pointers(),
                    ld(a, s.rows_a()), b.pointers(), ld(b, s.rows_b()), t.scalar(s.beta),
                    c.pointers(), ld(c, s.m), s.count);
  });
  a.compare();
  b.compare();
  c.compare();
}

// Matrices one after the other in one large matrix, with some columns between them.
template <typename T>
struct Row {
  Row(Random& random, int m, int n, int how_many)
      : columns(n),
        step(n + random.between(0, 2)),
        all(Matrix<T>::general(random, m, step * how_many)) {}
  long long stride() const { return static_cast<long long>(all.ld) * step; }
  bool holds(int column) const { return column % step < columns; }
  Dense<T> dense(int i) const {
    Dense<T> result(all.rows, columns);
    for (int j = 0; j < columns; ++j) {
      for (int row = 0; row < all.rows; ++row) result.at(row, j) = all.wide(row, i * step + j);
    }
    return result;
  }
  Api<T>* device() { return all.device(); }

  int columns, step;
  Matrix<T> all;
};

template <typename T>
void expect_row(const T& alpha, const Dense<T>& a, const Dense<T>& b, const T& beta, Row<T>& c,
                int i) {
  for (int j = 0; j < c.columns; ++j) {
    for (int row = 0; row < c.all.rows; ++row) {
      const int column = i * c.step + j;
      Sum<T> sum;
      add_product(sum, Wide<T>(alpha), a, row, b, j);
      if (beta != T{}) sum.add(beta, c.all.wide(row, column));
      c.all.storage.expect(c.all.index(row, column), sum);
    }
  }
}

template <typename T, auto function>
void gemm_strided(Trial& t) {
  const GemmShape<T> s(t.random);
  Row<T> a(t.random, s.rows_a(), s.columns_a(), s.count);
  Row<T> b(t.random, s.rows_b(), s.columns_b(), s.count);
  Row<T> c(t.random, s.m, s.n, s.count);
  for (int i = 0; i < s.count; ++i) {
    expect_row(s.alpha, a.dense(i).op(s.trans_a), b.dense(i).op(s.trans_b), s.beta, c, i);
  }
  if (s.alpha == T{}) a.all.storage.poison();
  if (s.alpha == T{}) b.all.storage.poison();
  t.run([&] {
    return function(t.handle, s.trans_a, s.trans_b, s.m, s.n, s.k, t.scalar(s.alpha), a.device(),
                    a.all.ld, a.stride(), b.device(), b.all.ld, b.stride(), t.scalar(s.beta),
                    c.device(), c.all.ld, c.stride(), s.count);
  });
  a.all.storage.compare();
  b.all.storage.compare();
  c.all.storage.compare();
}

// y = alpha * op(A) * x + beta * y.
template <typename T>
struct GemvShape {
  explicit GemvShape(Random& random)
      : m(random.size()),
        n(random.size()),
        count(random.between(0, 3)),
        incx(random.increment()),
        incy(random.increment()),
        trans(random.operation()),
        alpha(random.factor<T>()),
        beta(random.factor<T>()) {}
  int m, n, count, incx, incy;
  mublasOperation_t trans;
  T alpha, beta;

  int length_x() const { return trans == MUBLAS_OP_N ? n : m; }
  int length_y() const { return trans == MUBLAS_OP_N ? m : n; }
  bool empty() const { return m == 0 || n == 0; }
};

template <typename T>
void expect_vector(const GemvShape<T>& s, const Dense<T>& a, const Dense<T>& x, Vector<T>& y) {
  for (int i = 0; i < y.n && !s.empty(); ++i) {
    Sum<T> sum;
    add_product(sum, Wide<T>(s.alpha), a, i, x, 0);
    if (s.beta != T{}) sum.add(s.beta, y.wide(i));
    y.storage.expect(y.index(i), sum);
  }
}

template <typename T, auto function>
void gemv_batched(Trial& t) {
  const GemvShape<T> s(t.random);
  unsigned contents = 1;
  const auto shape = t.random;
  Batch<Matrix<T>> a(s.count, [&] { return same_shape<T>(shape, s.m, s.n, contents++); });
  Batch<Vector<T>> x(s.count, [&] { return Vector<T>(t.random, s.length_x(), s.incx); });
  Batch<Vector<T>> y(s.count, [&] { return Vector<T>(t.random, s.length_y(), s.incy); });
  for (int i = 0; i < s.count; ++i) {
    expect_vector(s, a[i].dense().op(s.trans), x[i].dense(), y[i]);
  }
  if (s.alpha == T{}) a.poison();
  if (s.alpha == T{}) x.poison();
  if (s.beta == T{} && !s.empty()) y.poison();
  t.run([&] {
    return function(t.handle, s.trans, s.m, s.n, t.scalar(s.alpha), a.pointers(),
                    s.count == 0 ? std::max(s.m, 1) : a[0].ld, x.pointers(), s.incx,
                    t.scalar(s.beta), y.pointers(), s.incy, s.count);
  });
  a.compare();
  x.compare();
  y.compare();
}

// The vectors of a batch are the columns of a matrix, with increments of 1.
template <typename T, auto function>
void gemv_strided(Trial& t) {
  const GemvShape<T> s(t.random);
  Row<T> a(t.random, s.m, s.n, s.count);
  Row<T> x(t.random, s.length_x(), 1, s.count), y(t.random, s.length_y(), 1, s.count);
  for (int i = 0; i < s.count && !s.empty(); ++i) {
    expect_row(s.alpha, a.dense(i).op(s.trans), x.dense(i), s.beta, y, i);
  }
  if (s.alpha == T{}) a.all.storage.poison();
  if (s.alpha == T{}) x.all.storage.poison();
  t.run([&] {
    return function(t.handle, s.trans, s.m, s.n, t.scalar(s.alpha), a.device(), a.all.ld,
                    a.stride(), x.device(), 1, x.stride(), t.scalar(s.beta), y.device(), 1,
                    y.stride(), s.count);
  });
  a.all.storage.compare();
  x.all.storage.compare();
  y.all.storage.compare();
}

template <typename T, auto function>
void trsm_batched(Trial& t) {
  const int m = t.random.size(), n = t.random.size(), count = t.random.between(0, 3);
  const auto side = t.random.side();
  const auto uplo = t.random.triangle();
  const auto trans = t.random.operation();
  const auto diag = t.random.diagonal();
  const bool left = side == MUBLAS_SIDE_LEFT;
  const int order = left ? m : n;
  const T alpha = t.random.factor<T>();
  unsigned contents = 1;
  const auto shape = t.random;
  Batch<Matrix<T>> a(count, [&] {
    Random same = shape;
    auto matrix = Matrix<T>::triangle(same, uplo, order);
    Random filler(contents++);
    matrix.for_stored([&](int i, int j) { matrix.at(i, j) = filler.number<T>(); });
    return matrix;
  });
  Batch<Matrix<T>> b(count, [&] { return same_shape<T>(shape, m, n, contents++); });
  std::vector<Dense<T>> whole, right;
  for (int i = 0; i < count; ++i) {
    whole.push_back(a[i].triangular(t.random, diag).op(trans));
    right.push_back(b[i].dense());
  }
  if (alpha == T{}) a.poison();
  if (alpha == T{} && m != 0 && n != 0) b.poison();
  t.run([&] {
    return function(t.handle, side, uplo, trans, diag, m, n, t.scalar(alpha), a.pointers(),
                    count == 0 ? order : a[0].ld, b.pointers(), count == 0 ? m : b[0].ld, count);
  });
  a.compare();
  for (int member = 0; member < count; ++member) {
    b[member].storage.accept(b[member].indices());
    b[member].storage.compare();
    const auto solution = b[member].dense();
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        Sum<T> residual;
        add_product(residual, Wide<T>(1), left ? whole[member] : solution, i,
                    left ? solution : whole[member], j);
        residual.add(Wide<T>(-alpha), right[member].at(i, j));
        ASSERT_LE(std::abs(residual.value), residual.tolerance()) << i << ", " << j;
      }
    }
  }
}

#define FOR_ALL(check, name)                                                       \
  BLAS_CASE(check, float, mublasS##name), BLAS_CASE(check, double, mublasD##name), \
      BLAS_CASE(check, ComplexFloat, mublasC##name),                               \
      BLAS_CASE(check, ComplexDouble, mublasZ##name)

BLAS_FAMILY(Batches, GemmBatched, FOR_ALL(gemm_batched, gemmBatched));
BLAS_FAMILY(Batches, GemmStridedBatched, FOR_ALL(gemm_strided, gemmStridedBatched));
BLAS_FAMILY(Batches, GemvBatched, FOR_ALL(gemv_batched, gemvBatched));
BLAS_FAMILY(Batches, GemvStridedBatched, FOR_ALL(gemv_strided, gemvStridedBatched));
BLAS_FAMILY(Batches, TrsmBatched, FOR_ALL(trsm_batched, trsmBatched));

}  // namespace
}  // namespace blas_tests
