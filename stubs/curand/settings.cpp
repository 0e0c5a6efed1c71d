// Generator settings that muRAND lacks and that have only one right answer.
#include "facts.h"
#include "stubs/curand/no_generator.h"
#include "stubs/fallback.h"
#include "stubs/refusal.h"

namespace {

using torchada::fail;
using torchada::curand::no_generator;
namespace cuda = torchada::cuda;

}  // namespace

extern "C" {

// muRAND has only its default order. "Best" promises no particular order.
int torchada_adapter_curandSetGeneratorOrdering(const void* handle, int ordering) {
  if (!handle) return no_generator("curandSetGeneratorOrdering");
  constexpr int kOutOfRange = static_cast<int>(cuda::CURAND_STATUS_OUT_OF_RANGE);
  switch (ordering) {
    case cuda::CURAND_ORDERING_PSEUDO_DEFAULT:
    case cuda::CURAND_ORDERING_PSEUDO_BEST:
      return 0;
    case cuda::CURAND_ORDERING_PSEUDO_SEEDED:
    case cuda::CURAND_ORDERING_PSEUDO_LEGACY:
    case cuda::CURAND_ORDERING_PSEUDO_DYNAMIC:
      return torchada::refuse_enumerator("curandSetGeneratorOrdering", 1, ordering,
                                         "muRAND has only its default order", kOutOfRange);
    default:  // cuRAND refuses orders of quasi-random generators here too.
      return fail(kOutOfRange);
  }
}

}  // extern "C"
