/* murand.h is a C header. */
#include <murand.h>

murandRngType_t default_type_in_c(void) { return MURAND_RNG_PSEUDO_DEFAULT; }
