#include "companion.h"

extern "C" int32_t torchada_companion_interface() { return kCompanionInterface; }
