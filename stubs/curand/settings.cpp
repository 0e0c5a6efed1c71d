// Generator settings that muRAND lacks and that have only one right answer.
#include "facts.h"
#include "stubs/coverage.h"
#include "stubs/fallback.h"

namespace {

using torchada::fail;
namespace cuda = torchada::cuda;

// Like no_generator in generators.cpp.
int no_generator(const char* function) {
  torchada::report_absence(function);
  return fail(static_cast<int>(cuda::CURAND_STATUS_NOT_INITIALIZED));
}

}  // namespace

extern "C" {

// Sets up the states before the first use, which would otherwise set them up. So nothing is left to
// do.
int torchada_adapter_curandGenerateSeeds(const void* handle) {
  return handle ? 0 : no_generator("curandGenerateSeeds");
}

// muRAND has only its default order. "Best" promises no particular order.
int torchada_adapter_curandSetGeneratorOrdering(const void* handle, int ordering) {
  if (!handle) return no_generator("curandSetGeneratorOrdering");
  const bool is_usual = ordering == cuda::CURAND_ORDERING_PSEUDO_DEFAULT ||
                        ordering == cuda::CURAND_ORDERING_PSEUDO_BEST;
  return is_usual ? 0 : fail(static_cast<int>(cuda::CURAND_STATUS_OUT_OF_RANGE));
}

// For quasi-random generators; this library can only create pseudo-random ones.
int torchada_adapter_curandSetQuasiRandomGeneratorDimensions(const void* handle) {
  if (!handle) return no_generator("curandSetQuasiRandomGeneratorDimensions");
  return fail(static_cast<int>(cuda::CURAND_STATUS_TYPE_ERROR));
}

}  // extern "C"
