// One library in a fresh process: the time to load it, to call it for the first time, and to call
// each further function for the first time. In C, so that the process starts with nothing but libc.
//
// usage: first_use LIBRARY LIST PREFIX [PRESENT]
//   LIST     functions, cudart or targets, see write_function_lists.cpp; load to call none
//   PREFIX   of the names in LIBRARY, may be empty
//   PRESENT  a library that the program loads before
// Writes four doubles to stdout, in nanoseconds: load, first call, mean of the further calls, and
// the mean of a dlsym of each of those functions in LIBRARY; 0 for what was not measured.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BENCH_FUNCTION(index, name) #name,
static const char* const kFunctions[] = {
#include "functions.inc"
};
static const char* const kCudart[] = {
#include "cudart.inc"
};
static const char* const kTargets[] = {
#include "cudart_targets.inc"
};
#undef BENCH_FUNCTION
enum { kMost = sizeof kFunctions / sizeof *kFunctions };

typedef int (*Function)(int*);

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// Callgrind writes its counts here: see instructions/first_call_test.py.
__attribute__((noinline)) void first_use_mark(void) { __asm__ volatile("" ::: "memory"); }

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const char* const* names = kFunctions;
  int count = kMost;
  if (strcmp(argv[2], "functions") != 0) {
    names = strcmp(argv[2], "cudart") == 0 ? kCudart : kTargets;
    count = sizeof kCudart / sizeof *kCudart;
  }
  if (argc > 4 && !dlopen(argv[4], RTLD_NOW)) return 3;

  now();  // The first reading pays for the clock's own page.
  const uint64_t start = now();
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  const uint64_t loaded = now();
  if (!library) {
    fprintf(stderr, "first_use: %s\n", dlerror());
    return 3;
  }
  if (strcmp(argv[2], "load") == 0) {
    const double out[4] = {(double)(loaded - start)};
    return fwrite(out, sizeof out, 1, stdout) == 1 ? 0 : 5;
  }
  static char symbols[kMost][128];
  for (int i = 0; i < count; ++i) {
    snprintf(symbols[i], sizeof *symbols, "%s%s", argv[3], names[i]);
  }
  static Function functions[kMost];
  functions[0] = (Function)dlsym(library, symbols[0]);
  first_use_mark();
  const uint64_t look_up = now();
  for (int i = 1; i < count; ++i) functions[i] = (Function)dlsym(library, symbols[i]);
  const uint64_t found = now();
  first_use_mark();
  for (int i = 0; i < count; ++i) {
    if (functions[i]) continue;
    fprintf(stderr, "first_use: %s has no %s\n", argv[1], symbols[i]);
    return 3;
  }
  const uint64_t before = now();
  int failed = functions[0](NULL);
  first_use_mark();
  const uint64_t first = now();
  for (int i = 1; i < count; ++i) failed |= functions[i](NULL);
  const uint64_t all = now();
  first_use_mark();
  if (failed) return 4;

  const double out[4] = {(double)(loaded - start), (double)(first - before),
                         (double)(all - first) / (count - 1),
                         (double)(found - look_up) / (count - 1)};
  return fwrite(out, sizeof out, 1, stdout) == 1 ? 0 : 5;
}
