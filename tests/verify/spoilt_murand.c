#include <murand.h>

#include "tests/verify/spoilt.h"

murandStatus_t murandCreateGenerator(murandGenerator_t* generator, murandRngType_t rng_type) {
  if (spoilt("generator") && rng_type == MURAND_RNG_PSEUDO_MRG32K3A)
    return MURAND_STATUS_TYPE_ERROR;
  return REAL(murandCreateGenerator)(generator, rng_type);
}

murandStatus_t murandGenerateNormal(murandGenerator_t generator, float* outputPtr, size_t n,
                                    float mean, float stddev) {
  if (spoilt("normal_arguments"))
    return REAL(murandGenerateNormal)(generator, outputPtr, n, stddev, mean);
  return REAL(murandGenerateNormal)(generator, outputPtr, n, mean, stddev);
}
