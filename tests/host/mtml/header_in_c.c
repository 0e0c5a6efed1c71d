/* mtml.h is a C header. */
#include <mtml.h>

MtmlReturn status_in_c(void) { return MTML_ERROR_NOT_FOUND; }
