// Small vector types that appear in host-side prototypes.
//
// Evidence: dim3 is passed by value to musaLaunchKernel and musaLaunchCooperativeKernel
// (tile-ai/tilelang-musa:src/backend/musa/stubs/musart.cc); muComplex = float2 and muDoubleComplex
// = double2 (ZhaoShanBiounite/musapy). Assumed: the alignment of the vector types (as wide as the
// vector, at most 16), as in the 12.x-generation API of the same shape.
#pragma once

#if defined(__GNUC__)
#define MUSA_VECTOR_ALIGN(n) __attribute__((aligned(n)))
#else
#define MUSA_VECTOR_ALIGN(n)
#endif

struct uint3 {
  unsigned int x, y, z;
};
struct int2 {
  int x, y;
} MUSA_VECTOR_ALIGN(8);
struct int4 {
  int x, y, z, w;
} MUSA_VECTOR_ALIGN(16);
struct uint2 {
  unsigned int x, y;
} MUSA_VECTOR_ALIGN(8);
struct uint4 {
  unsigned int x, y, z, w;
} MUSA_VECTOR_ALIGN(16);
struct float2 {
  float x, y;
} MUSA_VECTOR_ALIGN(8);
struct float4 {
  float x, y, z, w;
} MUSA_VECTOR_ALIGN(16);
struct double2 {
  double x, y;
} MUSA_VECTOR_ALIGN(16);

typedef struct uint3 uint3;
typedef struct int2 int2;
typedef struct int4 int4;
typedef struct uint2 uint2;
typedef struct uint4 uint4;
typedef struct float2 float2;
typedef struct float4 float4;
typedef struct double2 double2;

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
#endif
};
typedef struct dim3 dim3;

#undef MUSA_VECTOR_ALIGN
