// The resolver for compare.S: a recursive lock around opening the backend, then one dlsym per
// symbol.
#include <pthread.h>

#include "benchmarks/designs/open_backend.h"

#define HIDDEN __attribute__((visibility("hidden")))

namespace {

const char* const kTargets[] = {
#define BENCH_FUNCTION(index, target) #target,
#include "functions.inc"
};
constexpr int kCount = sizeof kTargets / sizeof *kTargets;

pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
void* backend = nullptr;

}  // namespace

extern "C" HIDDEN void* compare_table[kCount];
void* compare_table[kCount];

extern "C" HIDDEN void* compare_resolve(unsigned index) {
  pthread_mutex_lock(&lock);
  if (!backend) backend = open_backend();
  void* address = dlsym(backend, kTargets[index]);
  compare_table[index] = address;
  pthread_mutex_unlock(&lock);
  return address;
}
