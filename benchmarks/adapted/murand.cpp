// A muRAND whose function does nothing.
#include "functions.h"

int murandCreateGenerator(void**, int) { return 0; }
