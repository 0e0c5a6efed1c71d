// Compiled separately for each tree, because the version differs.
#include <murand.h>

murandStatus_t murandGetVersion(int* version) {
  if (version == nullptr) return MURAND_STATUS_OUT_OF_RANGE;
  *version = MURAND_VERSION;
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return MURAND_STATUS_OUT_OF_RANGE;
  switch (type) {
    case MAJOR_VERSION:
      *value = MURAND_VERSION / 10000;
      return MURAND_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = MURAND_VERSION / 100 % 100;
      return MURAND_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = MURAND_VERSION % 100;
      return MURAND_STATUS_SUCCESS;
  }
  return MURAND_STATUS_OUT_OF_RANGE;
}
