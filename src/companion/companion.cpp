#include "src/shared/companion_interface.h"

extern "C" int32_t torchada_companion_interface() { return kCompanionInterface; }
