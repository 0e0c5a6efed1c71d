// The oldest form of pinned memory, whose size has 32 bits.
#include "facts.h"
#include "stubs/adapting/outcome.h"

extern "C" int torchada_adapter_cuMemAllocHost(void** memory, unsigned size) {
  return torchada::outcome({"cuMemAllocHost", "muMemAllocHost_v2"},
                           muMemAllocHost_v2(memory, size));
}
