/* Complex numbers of the math libraries.
 *
 * Evidence: muComplex = float2 and muDoubleComplex = double2 (ZhaoShanBiounite/musapy;
 * flagos-ai/KernelGenBench:docs/mublas.md). torch_musa casts its own complex numbers to them, so x
 * is the real part.
 */
#ifndef MU_COMPLEX_H_
#define MU_COMPLEX_H_

#include "vector_types.h"

typedef float2 muFloatComplex;
typedef float2 muComplex;
typedef double2 muDoubleComplex;

#endif /* MU_COMPLEX_H_ */
