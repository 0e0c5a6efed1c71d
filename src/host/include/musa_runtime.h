// Evidence: the name is in torch_musa:torch_musa/utils/mapping/include.json. The SDK's file also
// includes device-side headers for its compiler. A CPU runs no device code, so this one is only the
// C API.
#pragma once

#include "musa_runtime_api.h"
