// How the designs for comparison find the backend: one path, no search.
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static inline void* open_backend() {
  void* handle = dlopen(BENCH_BACKEND, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    fprintf(stderr, "benchmark: %s\n", dlerror());
    abort();
  }
  return handle;
}
