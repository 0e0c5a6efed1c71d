// A library that poses as one of MUSA's and does one thing wrong, named by the variable SPOILT;
// everything else is the real one's, on which it depends.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline int spoilt(const char* what) {
  const char* asked = getenv("SPOILT");
  return asked != NULL && strcmp(asked, what) == 0;
}

// This file was opened by its path, so that the bare name leads to the real one.
static inline void* real(const char* name) {
  return dlsym(dlopen(SPOILT_REAL, RTLD_NOLOAD | RTLD_NOW), name);
}

#define REAL(name) ((__typeof__(&(name)))real(#name))
