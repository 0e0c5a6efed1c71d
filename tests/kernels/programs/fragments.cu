// Products of fragments (mma.h), of every type, shape and layout.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "program.h"

namespace wmma = nvcuda::wmma;

// Small numbers, so that every sum is exact.
template <typename T>
__device__ T small(int x) {
  return static_cast<T>(static_cast<float>(x));
}
__device__ int of_a(int row, int column) { return (row * 5 + column * 3) % 7; }
__device__ int of_b(int row, int column) { return (row * 2 + column * 7) % 5; }
__device__ int of_c(int row, int column) { return (row * 3 + column) % 11; }

template <typename Type, typename Element, typename Sum, int m, int n, int k, typename LayoutA,
          typename LayoutB>
__device__ void product(double (*memory)[256], unsigned int* wrong, bool a_by_columns,
                        bool b_by_columns, wmma::layout_t sums) {
  Element* const a = reinterpret_cast<Element*>(memory[0]);
  Element* const b = reinterpret_cast<Element*>(memory[1]);
  Sum* const c = reinterpret_cast<Sum*>(memory[2]);
  const bool by_columns = sums == wmma::mem_col_major;
  __syncwarp();
  for (int i = threadIdx.x; i < m * k; i += 32) {
    a[a_by_columns ? i % k * m + i / k : i] = small<Element>(of_a(i / k, i % k));
  }
  for (int i = threadIdx.x; i < k * n; i += 32) {
    b[b_by_columns ? i % n * k + i / n : i] = small<Element>(of_b(i / n, i % n));
  }
  for (int i = threadIdx.x; i < m * n; i += 32) {
    c[by_columns ? i % n * m + i / n : i] = small<Sum>(of_c(i / n, i % n));
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, m, n, k, Type, LayoutA> part_a;
  wmma::fragment<wmma::matrix_b, m, n, k, Type, LayoutB> part_b;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> part_c, ones;
  wmma::load_matrix_sync(part_a, a, a_by_columns ? m : k);
  wmma::load_matrix_sync(part_b, b, b_by_columns ? k : n);
  wmma::load_matrix_sync(part_c, c, by_columns ? m : n, sums);
  wmma::fill_fragment(ones, small<Sum>(1));
  for (int i = 0; i < part_c.num_elements; ++i) part_c.x[i] = part_c.x[i] + ones.x[i];
  wmma::mma_sync(part_c, part_a, part_b, part_c);
  wmma::store_matrix_sync(c, part_c, by_columns ? m : n, sums);
  __syncwarp();
  for (int i = threadIdx.x; i < m * n; i += 32) {
    int expected = of_c(i / n, i % n) + 1;
    for (int j = 0; j < k; ++j) expected += of_a(i / n, j) * of_b(j, i % n);
    const Sum found = c[by_columns ? i % n * m + i / n : i];
    if (static_cast<float>(found) != static_cast<float>(expected)) atomicAdd(wrong, 1);
  }
}
template <typename Type, typename Element, typename Sum, int m, int n, int k>
__device__ void products(double (*memory)[256], unsigned int* wrong) {
  typedef wmma::row_major Row;
  typedef wmma::col_major Column;
  product<Type, Element, Sum, m, n, k, Row, Row>(memory, wrong, false, false, wmma::mem_row_major);
  product<Type, Element, Sum, m, n, k, Row, Column>(memory, wrong, false, true,
                                                    wmma::mem_col_major);
  product<Type, Element, Sum, m, n, k, Column, Row>(memory, wrong, true, false,
                                                    wmma::mem_row_major);
  product<Type, Element, Sum, m, n, k, Column, Column>(memory, wrong, true, true,
                                                       wmma::mem_col_major);
}
template <typename Type, typename Sum>
__device__ void three_shapes(double (*memory)[256], unsigned int* wrong) {
  products<Type, Type, Sum, 16, 16, 16>(memory, wrong);
  products<Type, Type, Sum, 32, 8, 16>(memory, wrong);
  products<Type, Type, Sum, 8, 32, 16>(memory, wrong);
}

// nvcc has most of them for newer GPUs than its first.
#if defined(TORCHADA_WARP_SIZE) || !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__global__ void fragments(unsigned int* wrong) {
  __shared__ __align__(32) double memory[3][256];
  three_shapes<__half, float>(memory, wrong);
  three_shapes<__half, __half>(memory, wrong);
  three_shapes<__nv_bfloat16, float>(memory, wrong);
  three_shapes<signed char, int>(memory, wrong);
  three_shapes<unsigned char, int>(memory, wrong);
  products<wmma::precision::tf32, float, float, 16, 16, 8>(memory, wrong);
  products<double, double, double, 8, 8, 4>(memory, wrong);
  // 10 bits behind the point.
  if (wmma::__float_to_tf32(1 + 0x1p-10F + 0x1p-12F) != 1 + 0x1p-10F) atomicAdd(wrong, 1);
  if (wmma::__float_to_tf32(-1 - 0x1p-11F) != -1 - 0x1p-10F) atomicAdd(wrong, 1);
}
#endif

int main() {
  unsigned int* const wrong = upload(std::vector<unsigned int>(1));
  fragments<<<1, 32>>>(wrong);
  return compare(download(wrong, 1), std::vector<unsigned int>{0});
}
