// A failed check prints the expected and the actual value, and the program continues.
#ifndef TORCHADA_PROGRAMS_CHECK_H_
#define TORCHADA_PROGRAMS_CHECK_H_

#include <stdio.h>

static int failures;

static inline void check_equal(const char* what, long long expected, long long got) {
  if (expected == got) return;
  printf("%s: expected %lld, got %lld\n", what, expected, got);
  ++failures;
}

#endif  // TORCHADA_PROGRAMS_CHECK_H_
