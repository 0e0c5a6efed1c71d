// A muRAND whose function does nothing.
#include "benchmarks/adapted/functions.h"

int murandCreateGenerator(void**, int) { return 0; }
