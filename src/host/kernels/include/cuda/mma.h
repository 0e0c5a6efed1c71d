// Fragments of matrices, which a warp holds. CUDA does not say which lane has which elements: here
// each has some that follow each other, in a row of A or of the sums, or in a column of B.
#pragma once
#define __CUDA_MMA_H__  // of a toolkit's own header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "torchada_matrix.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

template <typename Type>
struct torchada_stored {
  typedef Type type;
};
template <>
struct torchada_stored<precision::tf32> {
  typedef float type;
};
// Rows and columns; whether elements that follow each other are of a column.
template <typename Use, int m, int n, int k>
struct torchada_shape;
#define TORCHADA_SHAPE(use, rows, columns, by_columns) \
  template <int m, int n, int k>                       \
  struct torchada_shape<use, m, n, k> {                \
    static constexpr unsigned int kRows = rows;        \
    static constexpr unsigned int kColumns = columns;  \
    static constexpr bool kByColumns = by_columns;     \
  };
TORCHADA_SHAPE(matrix_a, m, k, false)
TORCHADA_SHAPE(matrix_b, k, n, true)
TORCHADA_SHAPE(accumulator, m, n, false)
#undef TORCHADA_SHAPE

template <typename Use, int m, int n, int k, typename Type, typename Layout = void>
class fragment {
 public:
  typedef torchada_shape<Use, m, n, k> Shape;
  typedef typename torchada_stored<Type>::type element_type;
  typedef element_type storage_element_type;
  static constexpr int num_elements = Shape::kRows * Shape::kColumns / 32;
  element_type x[num_elements];

  // Of the i-th element of this lane.
  TORCHADA_DEVICE static unsigned int torchada_row(int i) {
    return Shape::kByColumns ? index(i) % Shape::kRows : index(i) / Shape::kColumns;
  }
  TORCHADA_DEVICE static unsigned int torchada_column(int i) {
    return Shape::kByColumns ? index(i) / Shape::kRows : index(i) % Shape::kColumns;
  }
  // An element of the matrix, of the lane that has it.
  TORCHADA_DEVICE static element_type torchada_at(const fragment* const* lanes, unsigned int row,
                                                  unsigned int column) {
    const unsigned int at =
        Shape::kByColumns ? column * Shape::kRows + row : row * Shape::kColumns + column;
    return lanes[at / num_elements]->x[at % num_elements];
  }

 private:
  TORCHADA_DEVICE static unsigned int index(int i) { return torchada::lane() * num_elements + i; }
};

template <typename Use, int m, int n, int k, typename Type, typename Layout, typename Value>
TORCHADA_DEVICE void fill_fragment(fragment<Use, m, n, k, Type, Layout>& to, const Value& value) {
  for (auto& element : to.x) element = value;
}

template <typename Use, int m, int n, int k, typename Type, typename Layout, typename Element>
TORCHADA_DEVICE void torchada_load(fragment<Use, m, n, k, Type, Layout>& to, const Element* from,
                                   unsigned int stride, bool by_columns) {
  __syncwarp();
  for (int i = 0; i < to.num_elements; ++i) {
    const unsigned int row = to.torchada_row(i), column = to.torchada_column(i);
    to.x[i] = by_columns ? from[column * stride + row] : from[row * stride + column];
  }
}
template <typename Use, int m, int n, int k, typename Type, typename Element>
TORCHADA_MASKED void load_matrix_sync(fragment<Use, m, n, k, Type, row_major>& to,
                                      const Element* from, unsigned int stride) {
  torchada_load(to, from, stride, false);
}
template <typename Use, int m, int n, int k, typename Type, typename Element>
TORCHADA_MASKED void load_matrix_sync(fragment<Use, m, n, k, Type, col_major>& to,
                                      const Element* from, unsigned int stride) {
  torchada_load(to, from, stride, true);
}
template <int m, int n, int k, typename Type, typename Element>
TORCHADA_MASKED void load_matrix_sync(fragment<accumulator, m, n, k, Type>& to, const Element* from,
                                      unsigned int stride, layout_t layout) {
  torchada_load(to, from, stride, layout == mem_col_major);
}
template <int m, int n, int k, typename Type, typename Element>
TORCHADA_MASKED void store_matrix_sync(Element* to,
                                       const fragment<accumulator, m, n, k, Type>& from,
                                       unsigned int stride, layout_t layout) {
  __syncwarp();
  for (int i = 0; i < from.num_elements; ++i) {
    const unsigned int row = from.torchada_row(i), column = from.torchada_column(i);
    to[layout == mem_col_major ? column * stride + row : row * stride + column] = from.x[i];
  }
  __syncwarp();
}

// What elements count as, and a sum as the result's type.
TORCHADA_DEVICE float __float_to_tf32(float x) {
  return torchada::as<float>(torchada::tf32_bits(x));
}
template <typename Type, typename Element>
TORCHADA_DEVICE double torchada_factor(Element x) {
  return static_cast<double>(static_cast<float>(x));
}
template <>
TORCHADA_DEVICE double torchada_factor<double>(double x) {
  return x;
}
template <>
TORCHADA_DEVICE double torchada_factor<precision::tf32>(float x) {
  return torchada::as<float>(torchada::as<unsigned int>(x) & 0xffffe000);
}
TORCHADA_DEVICE void torchada_set(float& to, double sum, bool) { to = static_cast<float>(sum); }
TORCHADA_DEVICE void torchada_set(double& to, double sum, bool) { to = sum; }
TORCHADA_DEVICE void torchada_set(__half& to, double sum, bool saturates) {
  const float most = 65504;
  if (saturates && !(sum > -most && sum < most)) sum = sum != sum ? 0 : sum > 0 ? most : -most;
  to = __double2half(sum);
}
// Sums of whole numbers are exact in a double.
TORCHADA_DEVICE void torchada_set(int& to, double sum, bool saturates) {
  to = saturates ? __double2int_rn(sum) : static_cast<int>(static_cast<long long>(sum));
}

template <int m, int n, int k, typename Type, typename LayoutA, typename LayoutB, typename ResultD,
          typename ResultC>
TORCHADA_MASKED void mma_sync(fragment<accumulator, m, n, k, ResultD>& d,
                              const fragment<matrix_a, m, n, k, Type, LayoutA>& a,
                              const fragment<matrix_b, m, n, k, Type, LayoutB>& b,
                              const fragment<accumulator, m, n, k, ResultC>& c,
                              bool saturates = false) {
  typedef fragment<matrix_a, m, n, k, Type, LayoutA> A;
  typedef fragment<matrix_b, m, n, k, Type, LayoutB> B;
  fragment<accumulator, m, n, k, ResultD> made;
  torchada::with_all(~0U, a, [&](const A* const* all_a) {
    return torchada::with_all(~0U, b, [&](const B* const* all_b) {
      for (int i = 0; i < c.num_elements; ++i) {
        const unsigned int row = c.torchada_row(i), column = c.torchada_column(i);
        double sum = static_cast<double>(c.x[i]);
        for (unsigned int j = 0; j < k; ++j) {
          sum = __builtin_fma(torchada_factor<Type>(A::torchada_at(all_a, row, j)),
                              torchada_factor<Type>(B::torchada_at(all_b, j, column)), sum);
        }
        torchada_set(made.x[i], sum, saturates);
      }
      return 0;
    });
  });
  d = made;
}

}  // namespace wmma
}  // namespace nvcuda
