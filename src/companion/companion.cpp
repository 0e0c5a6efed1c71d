#include "companion.h"

extern "C" __attribute__((visibility("default"))) int32_t torchada_companion_interface() {
  return kCompanionInterface;
}
