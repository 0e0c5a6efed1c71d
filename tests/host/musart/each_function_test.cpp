#include "tests/host/musart/each_function.h"

TEST_P(EachFunction, DoesItsJob) { GetParam().run(); }
