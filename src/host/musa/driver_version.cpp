#include "musa.h"
#include "src/host/musa/operations.h"

MUresult muDriverGetVersion(int* driverVersion) {
  if (driverVersion == nullptr) return MUSA_ERROR_INVALID_VALUE;
  *driverVersion = musa::driver_version();
  return MUSA_SUCCESS;
}
