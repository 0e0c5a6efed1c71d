// A muRAND whose functions do nothing.
#include "benchmarks/adapted/functions.h"

int murandCreateGenerator(void**, int) { return 0; }
int murandGenerateNormal(void*, float*, std::size_t, float, float) { return 0; }
