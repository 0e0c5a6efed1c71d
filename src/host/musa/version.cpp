// Compiled for each tree.
#include "src/host/musa/operations.h"

// A driver reports the version of the SDK with which it came.
int musa::driver_version() { return MUSART_VERSION; }

bool musa::set_device_makes_current() { return MUSA_SET_DEVICE_MAKES_CURRENT != 0; }

int musa::grid_limit_yz() { return MUSA_GRID_LIMIT_YZ; }

bool musa::changes_executable_graphs() { return MUSA_CHANGES_EXECUTABLE_GRAPHS != 0; }
