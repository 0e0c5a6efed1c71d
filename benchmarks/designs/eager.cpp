// The table for eager.S.
#include "benchmarks/designs/open_backend.h"

#define HIDDEN __attribute__((visibility("hidden")))

namespace {

const char* const kTargets[] = {
#define BENCH_FUNCTION(index, target) #target,
#include "functions.inc"
};
constexpr int kCount = sizeof kTargets / sizeof *kTargets;

}  // namespace

extern "C" HIDDEN void* eager_table[kCount];
void* eager_table[kCount];

__attribute__((constructor)) static void fill_table() {
  void* backend = open_backend();
  for (int i = 0; i < kCount; ++i) eager_table[i] = dlsym(backend, kTargets[i]);
}
