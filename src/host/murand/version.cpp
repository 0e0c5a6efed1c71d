// Compiled separately for each tree, because the version differs.
#include <murand.h>

murandStatus_t murandGetVersion(int* version) {
  if (version == nullptr) return MURAND_STATUS_OUT_OF_RANGE;
  *version = MURAND_VERSION;
  return MURAND_STATUS_SUCCESS;
}
