// Generator settings that muRAND lacks and that MUSA is not told.
#include "facts.h"
#include "stubs/adapting/decided_mode.h"
#include "stubs/curand/no_generator.h"

namespace {

using torchada::fail;
using torchada::curand::no_generator;
namespace cuda = torchada::cuda;

}  // namespace

extern "C" {

int torchada_adapter_curandSetGeneratorOrdering(const void* handle, int ordering) {
  if (!handle) return no_generator("curandSetGeneratorOrdering");
  constexpr int kOutOfRange = static_cast<int>(cuda::CURAND_STATUS_OUT_OF_RANGE);
  // cuRAND refuses orders of quasi-random generators here too.
  if (ordering == cuda::CURAND_ORDERING_QUASI_DEFAULT) return fail(kOutOfRange);
  // Nothing is kept: cuRAND has no function that tells the order.
  return torchada::decide_mode<torchada::kDecided_curandOrdering_t>(
      "curandSetGeneratorOrdering", 1, ordering, kOutOfRange, kOutOfRange);
}

}  // extern "C"
