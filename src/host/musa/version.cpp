// Compiled for each tree.
#include "src/host/musa/operations.h"

// A driver reports the version of the SDK with which it came.
int musa::driver_version() { return MUSART_VERSION; }

bool musa::set_device_makes_current() { return MUSART_VERSION >= 50000; }

// Not seen of later SDKs; assumed, because their runtime documents the functions.
bool musa::changes_executable_graphs() { return MUSART_VERSION >= 40000; }
