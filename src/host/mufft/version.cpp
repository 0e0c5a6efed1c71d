// Compiled separately for each tree, because the version differs.
#include <mufft.h>

mufftResult mufftGetVersion(int* version) {
  if (version == nullptr) return MUFFT_INVALID_VALUE;
  *version = MUFFT_VERSION;
  return MUFFT_SUCCESS;
}

mufftResult mufftGetProperty(mufftLibraryPropertyType type, int* value) {
  if (value == nullptr) return MUFFT_INVALID_VALUE;
  switch (type) {
    case MUFFT_MAJOR_VERSION:
      *value = MUFFT_VERSION / 10000;
      return MUFFT_SUCCESS;
    case MUFFT_MINOR_VERSION:
      *value = MUFFT_VERSION / 100 % 100;
      return MUFFT_SUCCESS;
    case MUFFT_PATCH_LEVEL:
      *value = MUFFT_VERSION % 100;
      return MUFFT_SUCCESS;
  }
  return MUFFT_INVALID_TYPE;
}
