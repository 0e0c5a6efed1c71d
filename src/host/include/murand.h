/* muRAND (MUSA SDK 5.1), from public evidence only.
 *
 * Transcribed by hand from:
 *   ZhaoShanBiounite/musapy: musa_x_ffi.rs and docs/sdk-3.1.0-musax-coverage.md
 *                        (signatures and generator numbers read from SDK 3.1.0's murand.h)
 *   MooreThreads/paddle_musa: backends/musa/hack/paddle_backend_dyload_hack/murand_dynload.h
 *                        (exported names)
 *   flagos-ai/Torch-FL: csrc/aten/backends/musa/rng.cc
 *                        (Generate, GenerateLongLong, status names, (0, 1], even n)
 *
 * Assumed, because no public source states it:
 *   - every status number except 0 (as in the other libraries of this family), and the members
 *     DOUBLE_PRECISION_REQUIRED, VERSION_MISMATCH, INITIALIZATION_FAILED, INTERNAL_ERROR;
 *   - murandGetVersion's number: the stand-in reports the runtime's;
 *   - the tag behind murandGenerator_t;
 *   - murandOrdering_t;
 *   - MT19937 and the quasi-random types: names and numbers;
 *   - the random numbers. The stand-in gives those of cuRAND's host generators, to the last bit on
 *     x86-64 with glibc (elsewhere the logarithms and sines in normal numbers may round
 *     differently). Two differences from cuRAND: Philox too refuses an odd number of normal
 *     numbers (as reported of muRAND), and a new seed in the middle of a Philox sequence keeps the
 *     position.
 *
 * A new seed does not go back to the beginning of a sequence: set the offset too. MTGP32, MT19937,
 * quasi-random and Poisson numbers are not implemented.
 */
#pragma once

#include <musa_runtime_api.h>
#include <stddef.h>

#define MURAND_VERSION MUSART_VERSION

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct murandGenerator_st* murandGenerator_t;

typedef enum murandStatus_t {
  MURAND_STATUS_SUCCESS = 0,
  MURAND_STATUS_VERSION_MISMATCH = 100,
  MURAND_STATUS_NOT_INITIALIZED = 101,
  MURAND_STATUS_ALLOCATION_FAILED = 102,
  MURAND_STATUS_TYPE_ERROR = 103,
  MURAND_STATUS_OUT_OF_RANGE = 104,
  MURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  MURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  MURAND_STATUS_LAUNCH_FAILURE = 201,
  MURAND_STATUS_PREEXISTING_FAILURE = 202,
  MURAND_STATUS_INITIALIZATION_FAILED = 203,
  MURAND_STATUS_ARCH_MISMATCH = 204,
  MURAND_STATUS_INTERNAL_ERROR = 999,
  MURAND_STATUS_NOT_IMPLEMENTED = 1000
} murandStatus_t;

typedef enum murandRngType_t {
  MURAND_RNG_PSEUDO_DEFAULT = 400,
  MURAND_RNG_PSEUDO_XORWOW = 401,
  MURAND_RNG_PSEUDO_MRG32K3A = 402,
  MURAND_RNG_PSEUDO_MTGP32 = 403,
  MURAND_RNG_PSEUDO_PHILOX4_32_10 = 404,
  /* Assumed: the numbers above are rocRAND's, so these are too (rocrand.h). */
  MURAND_RNG_PSEUDO_MT19937 = 407,
  MURAND_RNG_QUASI_DEFAULT = 500,
  MURAND_RNG_QUASI_SOBOL32 = 501,
  MURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 502,
  MURAND_RNG_QUASI_SOBOL64 = 504,
  MURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 505
} murandRngType_t;

/* Assumed: cuRAND, hipRAND and rocRAND all have these names and numbers. */
typedef enum murandOrdering_t {
  MURAND_ORDERING_PSEUDO_BEST = 100,
  MURAND_ORDERING_PSEUDO_DEFAULT = 101,
  MURAND_ORDERING_PSEUDO_SEEDED = 102,
  MURAND_ORDERING_PSEUDO_LEGACY = 103,
  MURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  MURAND_ORDERING_QUASI_DEFAULT = 201
} murandOrdering_t;

murandStatus_t murandCreateGenerator(murandGenerator_t* generator, murandRngType_t rng_type);
murandStatus_t murandDestroyGenerator(murandGenerator_t generator);
murandStatus_t murandGetVersion(int* version);
murandStatus_t murandSetStream(murandGenerator_t generator, musaStream_t stream);
murandStatus_t murandSetPseudoRandomGeneratorSeed(murandGenerator_t generator,
                                                  unsigned long long seed);
murandStatus_t murandSetGeneratorOffset(murandGenerator_t generator, unsigned long long offset);

murandStatus_t murandGenerate(murandGenerator_t generator, unsigned int* output_data, size_t n);
murandStatus_t murandGenerateLongLong(murandGenerator_t generator, unsigned long long* output_data,
                                      size_t n);
murandStatus_t murandGenerateUniform(murandGenerator_t generator, float* output_data, size_t n);
murandStatus_t murandGenerateUniformDouble(murandGenerator_t generator, double* output_data,
                                           size_t n);
murandStatus_t murandGenerateNormal(murandGenerator_t generator, float* output_data, size_t n,
                                    float mean, float stddev);
murandStatus_t murandGenerateNormalDouble(murandGenerator_t generator, double* output_data,
                                          size_t n, double mean, double stddev);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop
