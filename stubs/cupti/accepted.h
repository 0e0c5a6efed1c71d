// Calls that are accepted and change nothing.
#pragma once

#include "stubs/reporting/log.h"

namespace torchada::cupti {

// Says so once for each function. Returns CUPTI_SUCCESS.
TORCHADA_APART int accepted(const char* function, const char* why);

}  // namespace torchada::cupti
