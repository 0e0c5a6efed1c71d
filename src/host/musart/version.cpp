#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

namespace {

musaError_t give_version(int* result, int version) {
  if (result == nullptr) return musart::recorded(musaErrorInvalidValue);
  *result = version;
  return musaSuccess;
}

}  // namespace

// Neither call needs a device, so neither starts the runtime.
musaError_t musaRuntimeGetVersion(int* runtimeVersion) {
  return give_version(runtimeVersion, MUSART_VERSION);
}

musaError_t musaDriverGetVersion(int* driverVersion) {
  return give_version(driverVersion, musa::driver_version());
}
