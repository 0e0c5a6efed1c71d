// Compiled for each tree.
#include "src/host/mtml/version.h"

#include <internal/sdk.h>

std::string mtml::driver_version() {
  constexpr int kNumber = MUSART_VERSION;
  return std::to_string(kNumber / 10000) + "." + std::to_string(kNumber / 100 % 100) + "." +
         std::to_string(kNumber % 100);
}
