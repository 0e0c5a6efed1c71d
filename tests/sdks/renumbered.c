/* The runtime of SDK 3.1, but it reports the version in MUSART_REPORTS. */
#include <stdlib.h>

int musaRuntimeGetVersion(int* version) {
  *version = atoi(getenv("MUSART_REPORTS"));
  return 0;
}
