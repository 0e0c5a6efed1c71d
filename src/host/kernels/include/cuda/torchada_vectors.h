// The vector types and dim3. Names, members and alignment are CUDA's documented ones.
#pragma once

// A toolkit's headers with the same types.
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__

#define TORCHADA_VECTOR(type, name, align1, align2, align4)                                    \
  struct name##1 {                                                                             \
    type x;                                                                                    \
  };                                                                                           \
  struct __attribute__((aligned(align2))) name##2 {                                            \
    type x, y;                                                                                 \
  };                                                                                           \
  struct name##3 {                                                                             \
    type x, y, z;                                                                              \
  };                                                                                           \
  struct __attribute__((aligned(align4))) name##4 {                                            \
    type x, y, z, w;                                                                           \
  };                                                                                           \
  TORCHADA_BOTH constexpr name##1 make_##name##1(type x) { return {x}; }                       \
  TORCHADA_BOTH constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  TORCHADA_BOTH constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  TORCHADA_BOTH constexpr name##4 make_##name##4(type x, type y, type z, type w) {             \
    return {x, y, z, w};                                                                       \
  }
// The names of CUDA 13 for vectors of four numbers of 8 bytes.
#define TORCHADA_VECTOR_16_32(type, name)                                                  \
  struct __attribute__((aligned(16))) name##4_16a {                                        \
    type x, y, z, w;                                                                       \
  };                                                                                       \
  struct __attribute__((aligned(32))) name##4_32a {                                        \
    type x, y, z, w;                                                                       \
  };                                                                                       \
  TORCHADA_BOTH constexpr name##4_16a make_##name##4_16a(type x, type y, type z, type w) { \
    return {x, y, z, w};                                                                   \
  }                                                                                        \
  TORCHADA_BOTH constexpr name##4_32a make_##name##4_32a(type x, type y, type z, type w) { \
    return {x, y, z, w};                                                                   \
  }

TORCHADA_VECTOR(signed char, char, 1, 2, 4)
TORCHADA_VECTOR(unsigned char, uchar, 1, 2, 4)
TORCHADA_VECTOR(short, short, 2, 4, 8)
TORCHADA_VECTOR(unsigned short, ushort, 2, 4, 8)
TORCHADA_VECTOR(int, int, 4, 8, 16)
TORCHADA_VECTOR(unsigned int, uint, 4, 8, 16)
TORCHADA_VECTOR(long, long, 8, 16, 16)
TORCHADA_VECTOR(unsigned long, ulong, 8, 16, 16)
TORCHADA_VECTOR(long long, longlong, 8, 16, 16)
TORCHADA_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
TORCHADA_VECTOR(float, float, 4, 8, 16)
TORCHADA_VECTOR(double, double, 8, 16, 16)
TORCHADA_VECTOR_16_32(long, long)
TORCHADA_VECTOR_16_32(unsigned long, ulong)
TORCHADA_VECTOR_16_32(long long, longlong)
TORCHADA_VECTOR_16_32(unsigned long long, ulonglong)
TORCHADA_VECTOR_16_32(double, double)
#undef TORCHADA_VECTOR
#undef TORCHADA_VECTOR_16_32

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
