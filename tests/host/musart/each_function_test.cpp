#include "each_function.h"

TEST_P(EachFunction, DoesItsJob) { GetParam().run(); }
