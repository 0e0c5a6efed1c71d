// Compiled separately for each tree, because the version differs. Assumed: it is the SDK's, as the
// version in the file's name is.
#include <internal/sdk.h>
#include <mtrtc.h>

mtrtcResult mtrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return MTRTC_ERROR_INVALID_INPUT;
  *major = MUSART_VERSION / 10000;
  *minor = MUSART_VERSION / 100 % 100;
  return MTRTC_SUCCESS;
}
