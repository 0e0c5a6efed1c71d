/* mufft.h and mufftXt.h are C headers. */
#include <mufft.h>
#include <mufftXt.h>

mufftType complex_type_in_c(void) { return MUFFT_C2C; }
