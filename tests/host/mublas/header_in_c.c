/* mublas.h is a C header. */
#include <mublas.h>

mublasOperation_t conjugate_in_c(void) { return MUBLAS_OP_C; }
