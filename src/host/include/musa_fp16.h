/* The half precision number that the math libraries take by pointer: only its layout.
 *
 * Evidence: __half in musa_fp16.h and its use by muBLAS (flagos-ai/KernelGenBench:docs/mublas.md;
 * zml/xla:xla/stream_executor/musa/mublas_shim/mublas_shim.cc, which makes the two bytes from an
 * integer). Assumed: the name of the member.
 */
#pragma once

typedef struct __half {
  unsigned short __x;
} __half;
