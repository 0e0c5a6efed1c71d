#include "src/command/recipes/arch.h"

#include <cstdlib>

namespace torchada::recipes {

std::string image_arch() {
  const char* const arch = std::getenv("TORCHADA_HOST_ARCH");
  return arch == nullptr || *arch == '\0' ? "mp_31" : arch;
}

}  // namespace torchada::recipes
