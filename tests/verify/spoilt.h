// A library that replaces one of MUSA's and does one thing wrong, selected by the variable SPOILT.
// Everything else it forwards to the real library, which it depends on.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline int spoilt(const char* what) {
  const char* asked = getenv("SPOILT");
  return asked != NULL && strcmp(asked, what) == 0;
}

// This file was opened by its path, so the bare name leads to the real library.
static inline void* real(const char* name) {
  return dlsym(dlopen(SPOILT_REAL, RTLD_NOLOAD | RTLD_NOW), name);
}

#define REAL(name) ((__typeof__(&(name)))real(#name))
