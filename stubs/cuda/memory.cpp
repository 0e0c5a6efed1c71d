// Memory: what an allocation was made with, and the oldest form of pinned memory.
#include <string.h>

#include "facts.h"
#include "stubs/fallback.h"
#include "stubs/outcome.h"

namespace {

using torchada::fail;
using torchada::outcome;
namespace cuda = torchada::cuda;
namespace musa = torchada::musa;

}  // namespace

extern "C" {

int torchada_adapter_cuMemAllocHost(void** memory, unsigned size) {
  return outcome({"cuMemAllocHost", "muMemAllocHost_v2"}, muMemAllocHost_v2(memory, size));
}

}  // extern "C"
