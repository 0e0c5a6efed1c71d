/* Complex numbers of the math libraries.
 *
 * Evidence: muComplex = float2 and muDoubleComplex = double2 (ZhaoShanBiounite/musapy;
 * flagos-ai/KernelGenBench:docs/mublas.md). torch_musa casts its own complex numbers to them, so x
 * is the real part.
 */
#pragma once

#include "vector_types.h"

typedef float2 muFloatComplex;
typedef float2 muComplex;
typedef double2 muDoubleComplex;
