/* mtrtc.h is a C header. */
#include <mtrtc.h>

mtrtcResult last_result_in_c(void) { return MTRTC_ERROR_INTERNAL_ERROR; }
